import {
  ErrorResponseSchema,
  InternalErrorResponseSchema,
  InvalidRequestResponseSchema,
  QuotaExceededResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiResponseObject } from "zod-openapi"

type Headers = Readonly<Record<string, z.ZodString>>

/** On every answer to a valid key. Spec 8. */
export const QUOTA_HEADERS = {
  "X-RateLimit-Limit": z.string().meta({ description: "Requests in the month", example: "1000" }),
  "X-RateLimit-Remaining": z.string().meta({ description: "Requests left in the month", example: "958" }),
  "X-RateLimit-Reset": z
    .string()
    .meta({ description: "When the month ends, UTC", format: "date-time", example: "2026-12-01T00:00:00.000Z" }),
} satisfies Headers

const WWW_AUTHENTICATE = {
  "WWW-Authenticate": z.string().meta({ description: "The scheme to use", example: "Bearer" }),
}
const ALLOW = { Allow: z.string().meta({ description: "The methods it takes", example: "GET, HEAD" }) }
const RETRY_AFTER = {
  "Retry-After": z.string().meta({ description: "Seconds until trying again makes sense", example: "30" }),
}

interface Failure {
  readonly status: number
  readonly description: string
  readonly schema: z.ZodType
  readonly example: Readonly<Record<string, unknown>>
  readonly headers?: Headers
}

const FAILURES = {
  invalidRequest: {
    status: 400,
    description: "A parameter or the body is not what it should be",
    schema: InvalidRequestResponseSchema,
    example: { error: "invalid_request", message: "days must be a whole number from 1 to 90", field: "days" },
  },
  unauthorized: {
    status: 401,
    description: "The API key is missing or wrong",
    schema: ErrorResponseSchema,
    example: { error: "unauthorized", message: "invalid API key: it is unknown, or was replaced in the dashboard" },
    headers: WWW_AUTHENTICATE,
  },
  notSignedIn: {
    status: 401,
    description: "Nobody is signed in, or e-mail address and password do not fit",
    schema: ErrorResponseSchema,
    example: { error: "unauthorized", message: "not signed in: sign in at /api/auth/sign-in/email first" },
    headers: WWW_AUTHENTICATE,
  },
  forbidden: {
    status: 403,
    description: "Not allowed: another site sent the change, sign-up is closed, or the password is wrong",
    schema: ErrorResponseSchema,
    example: { error: "forbidden", message: "this change was sent by another site and is refused" },
  },
  noProvider: {
    status: 404,
    description: "No health provider is connected",
    schema: ErrorResponseSchema,
    example: { error: "not_found", message: "no health provider connected, connect one in the dashboard" },
  },
  notSigned: {
    status: 401,
    description: "The vendor has not signed it, or not lately",
    schema: ErrorResponseSchema,
    example: { error: "unauthorized", message: "this is not signed by whoop for the app of this service" },
    headers: WWW_AUTHENTICATE,
  },
  noVendor: {
    status: 404,
    description: "No vendor of that name is configured, or it sends no webhooks",
    schema: ErrorResponseSchema,
    example: { error: "not_found", message: "provider of that name is not available here, try whoop" },
  },
  noAssistant: {
    status: 404,
    description: "No assistant of that id may read",
    schema: ErrorResponseSchema,
    example: { error: "not_found", message: "no assistant of that id may read your data" },
  },
  methodNotAllowed: {
    status: 405,
    description: "The path takes other methods",
    schema: ErrorResponseSchema,
    example: { error: "method_not_allowed", message: "/api/v1/health takes GET, HEAD" },
    headers: ALLOW,
  },
  routeNotFound: {
    status: 404,
    description: "There is nothing at this path",
    schema: ErrorResponseSchema,
    example: { error: "route_not_found", message: "there is nothing here, did you mean /api/v1/health" },
  },
  requestTimeout: {
    status: 408,
    description: "The request took too long to arrive",
    schema: ErrorResponseSchema,
    example: { error: "request_timeout", message: "the request took too long to arrive" },
  },
  conflict: {
    status: 409,
    description: "It is there already",
    schema: ErrorResponseSchema,
    example: { error: "conflict", message: "there is an account with this e-mail address, sign in instead" },
  },
  payloadTooLarge: {
    status: 413,
    description: "The body is too large",
    schema: ErrorResponseSchema,
    example: { error: "payload_too_large", message: "the body is too large" },
  },
  uriTooLong: {
    status: 414,
    description: "The address is too long",
    schema: ErrorResponseSchema,
    example: { error: "uri_too_long", message: "an address has at most 8192 bytes" },
  },
  unsupportedMediaType: {
    status: 415,
    description: "The body is not JSON",
    schema: ErrorResponseSchema,
    example: { error: "unsupported_media_type", message: "the body must be application/json" },
  },
  expectationFailed: {
    status: 417,
    description: "The header Expect asks for what is not understood",
    schema: ErrorResponseSchema,
    example: { error: "expectation_failed", message: "of Expect, only 100-continue is understood" },
  },
  rateLimited: {
    status: 429,
    description: "The month's requests are used up",
    schema: QuotaExceededResponseSchema,
    example: {
      error: "rate_limited",
      message: "monthly request limit of 1000 exceeded, it resets at 2026-12-01T00:00:00.000Z",
      limit: 1000,
      reset: "2026-12-01T00:00:00.000Z",
    },
    headers: RETRY_AFTER,
  },
  tooManyAttempts: {
    status: 429,
    description: "Too many attempts at signing in or up",
    schema: ErrorResponseSchema,
    example: { error: "too_many_attempts", message: "too many attempts for this account, try again in 240 seconds" },
    headers: RETRY_AFTER,
  },
  headersTooLarge: {
    status: 431,
    description: "The headers are too large",
    schema: ErrorResponseSchema,
    example: { error: "headers_too_large", message: "the headers are too large" },
  },
  internal: {
    status: 500,
    description: "A fault on the server's side",
    schema: InternalErrorResponseSchema,
    example: {
      error: "internal_error",
      message: "something went wrong here, it is in the log under this request_id",
      request_id: "6a2f0d0c-5d0e-4d0c-9a35-7d3f2b1c0e9d",
    },
  },
  unavailable: {
    status: 503,
    description: "Something the answer needs does not work now",
    schema: ErrorResponseSchema,
    example: { error: "unavailable", message: "the database does not answer, try again in a moment" },
    headers: RETRY_AFTER,
  },
} as const satisfies Readonly<Record<string, Failure>>

export type FailureName = keyof typeof FAILURES

/** A failure as an operation describes it. */
export function failure(name: FailureName, headers: Headers = {}): ZodOpenApiResponseObject {
  const { description, schema, example, headers: own }: Failure = FAILURES[name]
  const all = { ...own, ...headers }
  return {
    description,
    ...(Object.keys(all).length > 0 && { headers: z.object(all) }),
    content: { "application/json": { schema, example } },
  }
}

/** Beside an operation's own: a fault on our side, and what is refused whatever it is for. */
export const ALWAYS = {
  "500": failure("internal"),
  default: {
    description: "Any other refusal, in the same form: a method, size, length or pace that is not taken",
    content: { "application/json": { schema: ErrorResponseSchema, example: FAILURES.uriTooLong.example } },
  },
} as const satisfies Readonly<Record<string, ZodOpenApiResponseObject>>

/** What an operation refuses of a body before it reads it. */
export const BODY_REFUSALS = { "413": failure("payloadTooLarge"), "415": failure("unsupportedMediaType") } as const

export interface FailureDescription {
  readonly status: number
  readonly code: string
  readonly description: string
  /** Names of the fields beside code and message. */
  readonly fields: readonly string[]
}

/** Every failure's code, once, with its status and meaning, in the order of the statuses. */
export function describeFailures(): FailureDescription[] {
  const rows = Object.values(FAILURES).map(({ status, description, example: { error, message: _, ...fields } }) => ({
    status,
    code: error,
    description,
    fields: Object.keys(fields),
  }))
  const once = rows.filter((row, index) => rows.findIndex(({ code }) => code === row.code) === index)
  return once.toSorted((one, other) => one.status - other.status)
}

/** A success with a JSON body. */
export const success = (description: string, schema: z.ZodType, headers?: Headers): ZodOpenApiResponseObject => ({
  description,
  ...(headers && { headers: z.object(headers) }),
  content: { "application/json": { schema } },
})

/** The body an operation takes. */
export const jsonBody = (schema: z.ZodType, required = true) => ({
  required,
  content: { "application/json": { schema } },
})

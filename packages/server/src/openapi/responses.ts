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
  readonly description: string
  readonly schema: z.ZodType
  readonly example: Readonly<Record<string, unknown>>
  readonly headers?: Headers
}

const FAILURES = {
  invalidRequest: {
    description: "A parameter or the body is not what it should be",
    schema: InvalidRequestResponseSchema,
    example: { error: "invalid_request", message: "days must be a whole number from 1 to 90", field: "days" },
  },
  unauthorized: {
    description: "The API key is missing or wrong",
    schema: ErrorResponseSchema,
    example: { error: "unauthorized", message: "invalid API key: it is unknown, or was replaced in the dashboard" },
    headers: WWW_AUTHENTICATE,
  },
  notSignedIn: {
    description: "Nobody is signed in, or e-mail address and password do not fit",
    schema: ErrorResponseSchema,
    example: { error: "unauthorized", message: "not signed in: sign in at /api/auth/sign-in/email first" },
    headers: WWW_AUTHENTICATE,
  },
  forbidden: {
    description: "Not allowed: another site sent the change, sign-up is closed, or the password is wrong",
    schema: ErrorResponseSchema,
    example: { error: "forbidden", message: "this change was sent by another site and is refused" },
  },
  noProvider: {
    description: "No health provider is connected",
    schema: ErrorResponseSchema,
    example: { error: "not_found", message: "no health provider connected, connect one in the dashboard" },
  },
  methodNotAllowed: {
    description: "The path takes other methods",
    schema: ErrorResponseSchema,
    example: { error: "method_not_allowed", message: "/api/v1/health takes GET, HEAD" },
    headers: ALLOW,
  },
  conflict: {
    description: "It is there already",
    schema: ErrorResponseSchema,
    example: { error: "conflict", message: "there is an account with this e-mail address, sign in instead" },
  },
  rateLimited: {
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
    description: "Too many attempts at signing in or up",
    schema: ErrorResponseSchema,
    example: { error: "too_many_attempts", message: "too many attempts for this account, try again in 240 seconds" },
    headers: RETRY_AFTER,
  },
  internal: {
    description: "A fault on the server's side",
    schema: InternalErrorResponseSchema,
    example: {
      error: "internal_error",
      message: "something went wrong here, it is in the log under this request_id",
      request_id: "6a2f0d0c-5d0e-4d0c-9a35-7d3f2b1c0e9d",
    },
  },
  unavailable: {
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

/** Every failure's code, once, with what it means and the fields beside code and message. */
export function describeFailures(): { code: string; description: string; fields: string[] }[] {
  const rows = Object.values(FAILURES).map(({ description, example: { error, message: _, ...fields } }) => ({
    code: error,
    description,
    fields: Object.keys(fields),
  }))
  return rows.filter((row, index) => rows.findIndex(({ code }) => code === row.code) === index)
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

import {
  ErrorResponseSchema,
  InternalErrorResponseSchema,
  InvalidRequestResponseSchema,
  QuotaExceededResponseSchema,
  TooManyRequestsResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiResponseObject } from "zod-openapi"

type Headers = Readonly<Record<string, z.ZodString>>

/** On every response to a valid key. Spec 8 */
export const QUOTA_HEADERS = {
  "X-RateLimit-Limit": z.string().meta({ description: "Requests in the month", example: "1000" }),
  "X-RateLimit-Remaining": z.string().meta({ description: "Requests left in the month", example: "958" }),
  "X-RateLimit-Reset": z
    .string()
    .meta({ description: "When the month ends, UTC", format: "date-time", example: "2026-12-01T00:00:00.000Z" }),
} satisfies Headers

const RETRY_AFTER = {
  "Retry-After": z.string().meta({ description: "Seconds to wait before trying again", example: "30" }),
}
/** Headers of error responses, by status. */
const FAILURE_HEADERS: Readonly<Record<number, Headers>> = {
  401: { "WWW-Authenticate": z.string().meta({ description: "The scheme to use", example: "Bearer" }) },
  405: { Allow: z.string().meta({ description: "The methods it takes", example: "GET, HEAD" }) },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

interface Failure {
  readonly status: number
  readonly description: string
  readonly error: string
  readonly message: string
  /** @default no fields beside `error` and `message` */
  readonly schema?: z.ZodType
  readonly fields?: Readonly<Record<string, unknown>>
}

const FAILURES = {
  invalidRequest: {
    status: 400,
    description: "A parameter or the body is invalid",
    error: "invalid_request",
    message: "days must be a whole number from 1 to 90",
    schema: InvalidRequestResponseSchema,
    fields: { field: "days" },
  },
  unauthorized: {
    status: 401,
    description: "The API key is missing or wrong",
    error: "unauthorized",
    message: "invalid API key: it is unknown, or was replaced in the dashboard",
  },
  notSignedIn: {
    status: 401,
    description: "Not signed in, or incorrect email or password",
    error: "unauthorized",
    message: "not signed in: sign in at /api/auth/sign-in/email first",
  },
  forbidden: {
    status: 403,
    description: "Not allowed: another site sent the change, sign-ups are closed, or the password is incorrect",
    error: "forbidden",
    message: "another site sent this change, so it is refused: this site is https://restwell.example",
  },
  noProvider: {
    status: 404,
    description: "No health provider is connected",
    error: "not_found",
    message: "no health provider connected, connect one in the dashboard",
  },
  notSigned: {
    status: 401,
    description: "The vendor's signature is missing, invalid or too old",
    error: "unauthorized",
    message: "this is not signed by whoop for the app of this service",
  },
  noVendor: {
    status: 404,
    description: "No vendor with this name is configured, or it sends no webhooks",
    error: "not_found",
    message: "provider of that name is not available here, try whoop",
  },
  noAssistant: {
    status: 404,
    description: "No assistant with this id has access",
    error: "not_found",
    message: "no assistant of that id may read your data",
  },
  noLink: {
    status: 404,
    description: "The link was used, replaced or revoked, or it has expired. Or the service sends no e-mail",
    error: "not_found",
    message: "this link is not valid: it was used, or it has expired. Ask for a new one",
  },
  noPerson: {
    status: 404,
    description: "No account or open invitation with this id",
    error: "not_found",
    message: "there is no account with this id",
  },
  notOwner: {
    status: 403,
    description: "Not the owner of this installation, or another site sent the change",
    error: "forbidden",
    message: "only the owner of this installation may do this",
  },
  noImport: {
    status: 404,
    description: "No import with this id",
    error: "not_found",
    message: "there is no such import",
  },
  methodNotAllowed: {
    status: 405,
    description: "The path takes other methods",
    error: "method_not_allowed",
    message: "/api/v1/health takes GET, HEAD",
  },
  routeNotFound: {
    status: 404,
    description: "There is nothing at this path",
    error: "route_not_found",
    message: "there is nothing here, did you mean /api/v1/health",
  },
  requestTimeout: {
    status: 408,
    description: "The request took too long to arrive",
    error: "request_timeout",
    message: "the request took too long to arrive",
  },
  conflict: {
    status: 409,
    description: "It already exists",
    error: "conflict",
    message: "this email address has an account, sign in instead",
  },
  tooManyImports: {
    status: 409,
    description: "Other archives of this person are still waiting",
    error: "conflict",
    message: "5 archives are being imported already, wait for them or remove one",
  },
  payloadTooLarge: {
    status: 413,
    description: "The body is too large",
    error: "payload_too_large",
    message: "the body is too large",
  },
  uriTooLong: {
    status: 414,
    description: "The URL is too long",
    error: "uri_too_long",
    message: "a URL has at most 8192 bytes",
  },
  unsupportedMediaType: {
    status: 415,
    description: "The body is not JSON",
    error: "unsupported_media_type",
    message: "the body must be application/json",
  },
  expectationFailed: {
    status: 417,
    description: "The header Expect has an unsupported value",
    error: "expectation_failed",
    message: "the only supported Expect is 100-continue",
  },
  rateLimited: {
    status: 429,
    description: "The month's requests are used up",
    error: "rate_limited",
    message: "monthly request limit of 1000 exceeded, it resets at 2026-12-01T00:00:00.000Z",
    schema: QuotaExceededResponseSchema,
    fields: { limit: 1000, reset: "2026-12-01T00:00:00.000Z" },
  },
  tooOften: {
    status: 429,
    description: "The last sync was requested less than a minute ago",
    error: "rate_limited",
    message: "the last sync was requested less than a minute ago, request the next one in 42 s",
    schema: TooManyRequestsResponseSchema,
    fields: { limit: 1, reset: "2026-11-20T14:32:00.000Z" },
  },
  tooManyAtOnce: {
    status: 429,
    description: "Too many such requests of this person run at the same time",
    error: "rate_limited",
    message: "at most 2 exports at a time, try again when one has ended",
    schema: TooManyRequestsResponseSchema,
    fields: { limit: 2 },
  },
  tooManyAttempts: {
    status: 429,
    description: "Too many attempts to sign in or up",
    error: "too_many_attempts",
    message: "too many attempts for this account, try again in 240 seconds",
  },
  headersTooLarge: {
    status: 431,
    description: "The headers are too large",
    error: "headers_too_large",
    message: "the headers are too large",
  },
  internal: {
    status: 500,
    description: "An internal error",
    error: "internal_error",
    message: "internal error, the operator finds its cause in the log under this request_id",
    schema: InternalErrorResponseSchema,
    fields: { request_id: "6a2f0d0c-5d0e-4d0c-9a35-7d3f2b1c0e9d" },
  },
  unavailable: {
    status: 503,
    description: "The database or a vendor is unavailable",
    error: "unavailable",
    message: "the database does not answer, try again in a moment",
  },
} as const satisfies Readonly<Record<string, Failure>>

export type FailureName = keyof typeof FAILURES

const exampleOf = ({ error, message, fields }: Failure) => ({ error, message, ...fields })

/** An error response of an operation. */
export function failure(name: FailureName, headers: Headers = {}): ZodOpenApiResponseObject {
  const described: Failure = FAILURES[name]
  const { status, description, schema = ErrorResponseSchema } = described
  const all = { ...FAILURE_HEADERS[status], ...headers }
  return {
    description,
    ...(Object.keys(all).length > 0 && { headers: z.object(all) }),
    content: { "application/json": { schema, example: exampleOf(described) } },
  }
}

/** Error responses by status. */
export const failures = (names: readonly FailureName[]): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(names.map((name) => [String(FAILURES[name].status), failure(name)]))

/** Responses that every operation has. */
export const ALWAYS = {
  "500": failure("internal"),
  default: {
    description:
      "Any other error, in the same form: an unsupported method, or a request that is too large, too long or too slow",
    content: { "application/json": { schema: ErrorResponseSchema, example: exampleOf(FAILURES.uriTooLong) } },
  },
} as const satisfies Readonly<Record<string, ZodOpenApiResponseObject>>

/** Every error code once, ordered by status. */
export function describeFailures(): Failure[] {
  const all: Failure[] = Object.values(FAILURES)
  const once = all.filter(({ error }, index) => all.findIndex((other) => other.error === error) === index)
  return once.toSorted((one, other) => one.status - other.status)
}

/** A success with a JSON body. */
export const success = (description: string, schema: z.ZodType, headers?: Headers): ZodOpenApiResponseObject => ({
  description,
  ...(headers && { headers: z.object(headers) }),
  content: { "application/json": { schema } },
})

/** The body of an operation's requests. */
export const jsonBody = (schema: z.ZodType, required = true) => ({
  required,
  content: { "application/json": { schema } },
})

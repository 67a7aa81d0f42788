import {
  ErrorResponseSchema,
  InternalErrorResponseSchema,
  InvalidRequestResponseSchema,
  NotOpenedResponseSchema,
  QuotaExceededResponseSchema,
  TooManyRequestsResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiResponseObject } from "zod-openapi"

type Headers = Readonly<Record<string, z.ZodString>>

/** On every response to a valid key. */
const QUOTA_HEADERS = {
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

/** A failure without further fields, by its status and code. */
const withCode =
  (status: number, error: string) =>
  (description: string, message: string): Failure => ({ status, error, description, message })

const unauthorized = withCode(401, "unauthorized")
const forbidden = withCode(403, "forbidden")
const notFound = withCode(404, "not_found")
const conflict = withCode(409, "conflict")

const FAILURES = {
  invalidRequest: {
    status: 400,
    description: "A parameter or the body is invalid",
    error: "invalid_request",
    message: "days must be a whole number from 1 to 90",
    schema: InvalidRequestResponseSchema,
    fields: { field: "days" },
  },
  unauthorized: unauthorized(
    "The API key is missing or wrong",
    "invalid API key: it is unknown, or it was replaced in the dashboard",
  ),
  notPusher: unauthorized(
    "The token is missing or wrong, or it was ended",
    "invalid token: it was ended, make a new one on the page Connections",
  ),
  noIngestToken: notFound("No token with this id", "you have no token with this id"),
  noPush: notFound("No push with this id and token, or its report was deleted", "there is no push with this id"),
  tooManyTokens: conflict("The person has too many tokens", "there are 20 tokens already, end one of them first"),
  noWebhook: notFound("No webhook or delivery with this id", "you have no webhook with this id"),
  tooManySecrets: conflict(
    "Too many secrets of the webhook sign",
    "10 secrets of this webhook sign already: wait until the oldest former one ends, a day after it was replaced",
  ),
  tooManyWebhooks: conflict("The person has too many webhooks", "there are 20 webhooks already, end one of them first"),
  disabledWebhook: conflict(
    "The webhook is disabled",
    "this webhook is disabled: send a test first, which enables it if it arrives",
  ),
  receiverFailed: withCode(502, "receiver_failed")(
    "The receiver did not take the message: its answer, or why there was none",
    "example.com answered 500: upstream is down",
  ),
  notShared: unauthorized(
    "The token is missing or wrong, or the share has ended",
    "this link was ended, ask the person who sent it for a new one",
  ),
  tooManyViews: {
    status: 429,
    description: "The report was viewed too often in a minute, or the person's expensive reads are at their limit",
    error: "rate_limited",
    message: "at most 30 views a minute, try again in 12 seconds",
    schema: TooManyRequestsResponseSchema,
    fields: { limit: 30, reset: "2026-11-20T14:32:00.000Z" },
  },
  noShare: notFound("No share with this id", "you have no share with this id"),
  tooManyShares: conflict("The person has too many shares", "there are 20 shares already, end one of them first"),
  noKey: notFound("No key with this id", "you have no key with this id"),
  tooManyKeys: conflict("The person has too many keys", "there are 20 keys already, end one of them first"),
  noBrowser: notFound("No browser with this id", "you have no browser with this id"),
  tooManyBrowsers: conflict("The person has too many browsers", "there are 20 browsers already, end one of them first"),
  notOpened: {
    status: 403,
    description: "The key does not open this type of data (`scope`), or only later dates (`from_date`)",
    error: "forbidden",
    message: "this key does not open recovery, it opens sleep: use another key, or make one that does",
    schema: NotOpenedResponseSchema,
    fields: { scope: "recovery" },
  },
  tooManyPushes: {
    status: 429,
    description:
      "The person pushed too often in a minute, two pushes are being stored for 20 seconds, or 2,000,000 rows were stored in this UTC day",
    error: "rate_limited",
    message: "at most 120 pushes a minute, try again in 12 seconds",
    schema: TooManyRequestsResponseSchema,
    fields: { limit: 120, reset: "2026-11-20T14:32:00.000Z" },
  },
  notSignedIn: unauthorized(
    "Not signed in, or incorrect email or password",
    "not signed in: sign in at /api/auth/sign-in/email first",
  ),
  forbidden: forbidden(
    "Not allowed: another site sent the change, sign-ups are closed, or the password is incorrect",
    "another site sent this change, so it is refused: this site is https://restwell.example",
  ),
  noProvider: notFound("No health provider is connected", "no health provider connected, connect one in the dashboard"),
  notSigned: unauthorized(
    "The vendor's signature is missing, invalid or too old",
    "this is not signed by whoop for the app of this service",
  ),
  noVendor: notFound(
    "No vendor with this name is configured, or it sends no webhooks",
    "provider fitbit is not available here, try whoop, intervals, ultrahuman",
  ),
  noAssistant: notFound("No assistant with this id has access", "you have no assistant with this id"),
  noLink: notFound(
    "The link was used, replaced or revoked, or it has expired. Or the service sends no email",
    "this link is not valid: it was used, or it has expired. Ask for a new one",
  ),
  noPerson: notFound("No account or open invitation with this id", "there is no account with this id"),
  notOwner: forbidden(
    "Not the owner of this installation, another site sent the change, or the password is incorrect",
    "only the owner of this installation may do this",
  ),
  wrongSetupCode: forbidden(
    "The set-up code is wrong, or another site sent the request",
    "the set-up code is wrong: open the link that the start of Restwell has printed",
  ),
  hasOwner: conflict(
    "There is an owner, or the email address has an account",
    "this Restwell has an owner already: sign in, or ask the owner for an invitation",
  ),
  noImport: notFound("No import with this id", "there is no such import"),
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
  conflict: conflict("It already exists", "this email address has an account, sign in instead"),
  anotherMember: conflict(
    "The account at the vendor is another person's than the stored data, or is connected to another account",
    "this account at intervals.icu is already connected to another account on this server, sign in to that account or disconnect it there first",
  ),
  tooManyImports: conflict(
    "Other archives of this person are still waiting",
    "5 archives are being imported already, wait for them or remove one",
  ),
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
    description:
      "The month's requests are used up. Or too many expensive reads of this person run at the same time: `limit` says how many may, and " +
      "Retry-After is a second",
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
    description: "Too many such requests of this person run at the same time, by key, session and assistant together",
    error: "rate_limited",
    message:
      "at most 8 expensive reads (statistics, values within the day, periods of the dashboard, exports) at a time, try again when one has ended",
    schema: TooManyRequestsResponseSchema,
    fields: { limit: 8, reset: "2026-11-20T14:32:00.000Z" },
  },
  tooManyAttempts: {
    status: 429,
    description: "Too many attempts to sign in or up",
    error: "too_many_attempts",
    message: "too many wrong passwords, try again in 240 seconds",
  },
  tooManyTests: {
    status: 429,
    description: "Too many messages of this kind",
    error: "too_many_attempts",
    message: "too many test messages, try again in 240 seconds",
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
} satisfies Readonly<Record<string, Failure>>

export type FailureName = keyof typeof FAILURES

/** The example bodies of all errors. */
export const failureExamples = () => Object.values(FAILURES).map(exampleOf)

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

/** Errors that any request may get before its operation. */
const ELSEWHERE = [
  FAILURES.routeNotFound,
  FAILURES.methodNotAllowed,
  FAILURES.requestTimeout,
  FAILURES.uriTooLong,
  FAILURES.expectationFailed,
  FAILURES.headersTooLarge,
]

/** Responses that every operation has. */
export const ALWAYS = {
  "500": failure("internal"),
  default: {
    description: `Any other error, in the same form: ${ELSEWHERE.map(({ error, status }) => `\`${error}\` (${status})`).join(", ")}`,
    content: { "application/json": { schema: ErrorResponseSchema, example: exampleOf(FAILURES.uriTooLong) } },
  },
} as const satisfies Readonly<Record<string, ZodOpenApiResponseObject>>

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

const header = (description: string, example: string) => z.string().meta({ description, example })

/** A body as CSV. @param query of the example */
export const csvBody = (query?: string, example?: string) => ({
  "text/csv": {
    schema: z.string().meta({ description: "RFC 4180, UTF-8, with a header row" }),
    ...(query !== undefined && { examples: { csv: { summary: query, value: example } } }),
  },
})

type Content = NonNullable<ZodOpenApiResponseObject["content"]>

const SAMPLE_TAG = '"4-sleep-20261114-20261120-512"'

/** On the answer to a read that waited. RFC 7240 3 */
const APPLIED_HEADERS = {
  "Preference-Applied": header(
    "Only where the read waited for the score of today: how long at most",
    "wait=60",
  ).optional(),
}

const dataOf = (content: Content, further: z.ZodRawShape = {}) => ({
  "200": {
    description: "The data",
    headers: z.object({
      ...QUOTA_HEADERS,
      ETag: header("Names these bytes; send it as If-None-Match", SAMPLE_TAG),
      "Cache-Control": header("May be kept for 15 minutes", "private, max-age=900"),
      ...further,
    }),
    content,
  },
  "304": {
    description: "What If-None-Match names is still the answer. Not counted",
    headers: z.object({ ...QUOTA_HEADERS, ETag: header("The same", SAMPLE_TAG), ...further }),
  },
})

/** The responses of a read with an API key, but for failures that have no headers. @param content of its 200 */
export const countedReadResponses = (content: Content, { canWait = false }: { readonly canWait?: boolean } = {}) => ({
  ...readResponses(content),
  ...(canWait && dataOf(content, APPLIED_HEADERS)),
  "400": failure("invalidRequest", QUOTA_HEADERS),
  "403": failure("notOpened", QUOTA_HEADERS),
  "405": failure("methodNotAllowed", QUOTA_HEADERS),
  "429": failure("rateLimited", QUOTA_HEADERS),
})

/** The responses of a read by a session, but for failures that all endpoints have. */
export const readResponses = (content: Content) => ({
  ...dataOf(content),
  "404": failure("noProvider", QUOTA_HEADERS),
})

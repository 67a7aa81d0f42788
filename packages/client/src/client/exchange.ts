import type { z } from "zod"
import {
  ErrorResponseSchema,
  InternalErrorResponseSchema,
  InvalidRequestResponseSchema,
  NotOpenedResponseSchema,
  QuotaExceededResponseSchema,
} from "../rest/error.ts"
import { READER_HEADER } from "../rest/reader.ts"
import {
  ForbiddenError,
  type HealthApiError,
  InternalError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "./errors.ts"
import { withSignals } from "./retry.ts"
import { readInstant, readRetryAfterSeconds, type Settings } from "./settings.ts"

/** An HTTP response with its whole body. */
interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends one GET and reads the whole response. Throws NetworkError, TimeoutError, or the reason `signal` aborted with. */
export async function send(
  settings: Settings,
  request: { url: string; etag: string | undefined; waitSeconds: number | undefined; signal: AbortSignal },
): Promise<HttpResponse> {
  // Destructured to be called without a receiver: a browser's fetch refuses any `this` but the window.
  const { fetch, apiKey, reader } = settings
  const { waitSeconds } = request
  const timeoutMs = settings.timeoutMs + 1000 * (waitSeconds ?? 0)
  const headers = new Headers({ accept: "application/json", authorization: `Bearer ${apiKey}` })
  if (reader !== undefined) headers.set(READER_HEADER, reader)
  if (request.etag !== undefined) headers.set("if-none-match", request.etag)
  if (waitSeconds !== undefined) headers.set("prefer", `wait=${waitSeconds}`)
  return withSignals([request.signal], async (controller) => {
    const timeout = new TimeoutError(`no complete response from ${request.url} within ${timeoutMs} ms`)
    const timer = setTimeout(() => controller.abort(timeout), timeoutMs)
    try {
      // no-store: the browser's cache would reply for 15 minutes without a request, and leave health data on the disk.
      const response = await fetch(request.url, { headers, cache: "no-store", signal: controller.signal })
      const text = await response.text()
      // A server that echoes the key must not get it into an error message, and from there into a log.
      return { status: response.status, headers: response.headers, text: text.replaceAll(apiKey, "[api key]") }
    } catch (cause) {
      if (controller.signal.aborted) throw controller.signal.reason
      throw new NetworkError(`no response from ${request.url}`, { cause })
    } finally {
      clearTimeout(timer)
    }
  })
}

export type Body = Pick<HttpResponse, "status" | "text">

/** Returns the body, checked by the schema. Throws UnexpectedResponseError with the path of the first difference. */
export function parseBody<T>(schema: z.ZodType<T>, body: Body): T {
  const parsed = schema.safeParse(parseJson(body))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path.join(".") ?? ""
  throw new UnexpectedResponseError(
    `the body of the ${body.status} response does not match the API${path === "" ? "" : ` at ${path}`}: ${issue?.message}`,
    { status: body.status, path },
    { cause: parsed.error },
  )
}

function parseJson({ status, text }: Body): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnexpectedResponseError(`the body of the ${status} response is not JSON`, { status, path: "" }, { cause })
  }
}

/** Statuses that a proxy sends with a body of its own while the service is down or busy. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Returns the error of a response other than 200 and 304. Throws it when the body is not one of the API's. */
export function readError(response: HttpResponse): HealthApiError {
  try {
    return readApiError(response)
  } catch (cause) {
    if (!PROXY_STATUSES.has(response.status)) throw cause
    return unavailable(response, `the service is unreachable: a proxy responded with ${response.status}`, { cause })
  }
}

function readApiError(response: HttpResponse): HealthApiError {
  const { error, message } = parseBody(ErrorResponseSchema, response)
  switch (`${response.status} ${error}`) {
    case "400 invalid_request":
      return new InvalidRequestError(message, parseBody(InvalidRequestResponseSchema, response).field)
    case "401 unauthorized":
      return new UnauthorizedError(message)
    case "403 forbidden": {
      const { scope = null, from_date: fromDate = null } = parseBody(NotOpenedResponseSchema, response)
      return new ForbiddenError(message, { scope, fromDate })
    }
    case "404 not_found":
      return new NotFoundError(message)
    case "429 rate_limited":
      return rateLimited(response)
    case "500 internal_error":
      return new InternalError(message, parseBody(InternalErrorResponseSchema, response).request_id)
    case "503 unavailable":
      return unavailable(response, message)
    default:
      throw unexpected(response, `the service responded with ${response.status} ${error}: ${message}`, "error")
  }
}

function rateLimited(response: HttpResponse): RateLimitedError {
  const { message, limit, reset: resetText } = parseBody(QuotaExceededResponseSchema, response)
  const reset = readInstant(resetText)
  if (reset === null) throw unexpected(response, "the reset of the 429 response is not an ISO 8601 instant", "reset")
  return new RateLimitedError(message, { limit, reset, retryAfterSeconds: readRetryAfterSeconds(response.headers) })
}

function unavailable(response: HttpResponse, message: string, options?: ErrorOptions): ServiceUnavailableError {
  const retryAfterSeconds = readRetryAfterSeconds(response.headers)
  return new ServiceUnavailableError(message, { status: response.status, retryAfterSeconds }, options)
}

const unexpected = ({ status }: HttpResponse, message: string, path: string) =>
  new UnexpectedResponseError(message, { status, path })

import type { HealthApiError } from "../errors/health-api-error.ts"
import { InternalError } from "../errors/internal-error.ts"
import { InvalidRequestError } from "../errors/invalid-request-error.ts"
import { NotFoundError } from "../errors/not-found-error.ts"
import { RateLimitedError } from "../errors/rate-limited-error.ts"
import { ServiceUnavailableError } from "../errors/service-unavailable-error.ts"
import { UnauthorizedError } from "../errors/unauthorized-error.ts"
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts"
import {
  ErrorResponseSchema,
  InternalErrorResponseSchema,
  InvalidRequestResponseSchema,
  QuotaExceededResponseSchema,
} from "../rest/error.ts"
import { parseBody } from "./parse-body.ts"
import { readInstant } from "./quota.ts"
import { readRetryAfterSeconds } from "./retry-after.ts"
import type { HttpResponse } from "./send.ts"

/** Statuses that a proxy sends with a body of its own while the service is down or busy. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Returns the error of a response other than 200 and 304. Throws it when the body is not one of the API's. Spec 7. */
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

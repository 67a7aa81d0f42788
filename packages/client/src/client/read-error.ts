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
import { parseAnswer } from "./parse-body.ts"
import { readInstant } from "./quota.ts"
import { readRetryAfterSeconds } from "./retry-after.ts"
import type { HttpAnswer } from "./send.ts"

/** Statuses a proxy answers with in the service's place while it is down or busy; the body is the proxy's own. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Returns the error that an answer other than 200 and 304 stands for; throws it when the body is none of the API's. Spec 7. */
export function errorOfAnswer(answer: HttpAnswer): HealthApiError {
  try {
    return readError(answer)
  } catch (cause) {
    if (!BUSY_STATUSES.has(answer.status)) throw cause
    return unavailable(answer, `the service cannot be reached: something before it answered ${answer.status}`, {
      cause,
    })
  }
}

function readError(answer: HttpAnswer): HealthApiError {
  const { error, message } = parseAnswer(ErrorResponseSchema, answer)
  switch (`${answer.status} ${error}`) {
    case "400 invalid_request":
      return new InvalidRequestError(message, parseAnswer(InvalidRequestResponseSchema, answer).field)
    case "401 unauthorized":
      return new UnauthorizedError(message)
    case "404 not_found":
      return new NotFoundError(message)
    case "429 rate_limited":
      return rateLimited(answer)
    case "500 internal_error":
      return new InternalError(message, parseAnswer(InternalErrorResponseSchema, answer).request_id)
    case "503 unavailable":
      return unavailable(answer, message)
    default:
      throw unexpected(answer, `the service answered ${answer.status} ${error}: ${message}`, "error")
  }
}

function rateLimited(answer: HttpAnswer): RateLimitedError {
  const { message, limit, reset: resetText } = parseAnswer(QuotaExceededResponseSchema, answer)
  const reset = readInstant(resetText)
  if (reset === null) throw unexpected(answer, "the 429 answer's reset is not an ISO 8601 instant", "reset")
  return new RateLimitedError(message, { limit, reset, retryAfterSeconds: readRetryAfterSeconds(answer.headers) })
}

function unavailable(answer: HttpAnswer, message: string, options?: ErrorOptions): ServiceUnavailableError {
  const retryAfterSeconds = readRetryAfterSeconds(answer.headers)
  return new ServiceUnavailableError(message, { status: answer.status, retryAfterSeconds }, options)
}

const unexpected = ({ status }: HttpAnswer, message: string, path: string) =>
  new UnexpectedResponseError(message, { status, path })

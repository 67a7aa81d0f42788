import {
  Conflict,
  databaseTrouble,
  Forbidden,
  InvalidRequest,
  NotFound,
  QuotaExceeded,
  ServiceError,
  TooManyAttempts,
  Unauthorized,
  Unavailable,
} from "@restwell/core"
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify"
import type { LogFailure } from "./failure-log.ts"

/** What a client is sent for an error: DESIGN section 4, "Errors". */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: string; readonly message: string } & Readonly<Record<string, unknown>>
}

const RETRY_AFTER_SECONDS = 2

/** The only table of errors and statuses. Anything it does not know is a bug: 500, and all of it in the log. */
export function errorAnswer(error: unknown, requestId: string, now: Date): ErrorAnswer {
  if (error instanceof ServiceError) return answerOfServiceError(error, now)
  if (isClientFault(error)) return answerOfFastifyError(error)
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return answerOfServiceError(new Unavailable(trouble, RETRY_AFTER_SECONDS), now)
  return answer(500, "internal_error", "something went wrong here, it is in the log under this request_id", {
    request_id: requestId,
  })
}

const answer = (
  status: number,
  error: string,
  message: string,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): ErrorAnswer => ({ status, headers, body: { error, message, ...fields } })

function answerOfServiceError(error: ServiceError, now: Date): ErrorAnswer {
  const { code, message } = error
  if (error instanceof InvalidRequest) return answer(400, code, message, { field: error.field })
  if (error instanceof Unauthorized) return answer(401, code, message, {}, { "www-authenticate": "Bearer" })
  if (error instanceof Forbidden) return answer(403, code, message)
  if (error instanceof NotFound) return answer(404, code, message)
  if (error instanceof Conflict) return answer(409, code, message)
  if (error instanceof TooManyAttempts)
    return answer(429, code, message, {}, { "retry-after": String(error.retryAfterSeconds) })
  if (error instanceof QuotaExceeded) {
    const retryAfterSeconds = Math.max(1, Math.ceil((error.reset.getTime() - now.getTime()) / 1000))
    const fields = { limit: error.limit, reset: error.reset.toISOString() }
    return answer(429, code, message, fields, { "retry-after": String(retryAfterSeconds) })
  }
  if (error instanceof Unavailable)
    return answer(503, code, message, {}, { "retry-after": String(error.retryAfterSeconds) })
  throw new Error(`no status for ${error.name}`, { cause: error })
}

/** Codes of what Fastify refuses before a door is reached. */
const REFUSALS: Readonly<Record<number, readonly [string, string]>> = {
  400: ["invalid_request", "the request is malformed"],
  413: ["payload_too_large", "the body is too large"],
  414: ["uri_too_long", "the address is too long"],
  415: ["unsupported_media_type", "the body must be application/json"],
  431: ["headers_too_large", "the headers are too large"],
}

/** What is wrong, where the status alone does not tell. */
const MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "the body is not valid JSON",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "the body is not as long as Content-Length says",
  FST_ERR_BAD_URL: "the path holds a % that begins no escape",
  FST_ERR_MAX_PARAM_LENGTH: "a part of the path is too long",
}

function answerOfFastifyError({ statusCode = 400, code }: FastifyError): ErrorAnswer {
  const [error, general] = REFUSALS[statusCode] ?? ["invalid_request", "the request cannot be taken as it is"]
  const message = MESSAGES[code] ?? general
  const field = /BAD_URL|PARAM/.test(code) ? "path" : "body"
  return answer(statusCode, error, message, error === "invalid_request" ? { field } : {})
}

const isClientFault = (error: unknown): error is FastifyError =>
  error instanceof Error &&
  "statusCode" in error &&
  typeof error.statusCode === "number" &&
  error.statusCode >= 400 &&
  error.statusCode < 500

/** Where errors go beside the client. */
export interface ErrorSink {
  readonly now: Date
  readonly logFailure: LogFailure
}

/** Sends an error to the client and, where it is ours, to the log. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { now, logFailure }: ErrorSink,
): FastifyReply {
  const { status, headers, body } = errorAnswer(error, request.id, now)
  if (status >= 500) logFailure(error, request.id)
  return reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body)
}

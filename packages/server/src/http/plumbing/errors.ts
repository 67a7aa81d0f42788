import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { HOUR_MS } from "@restwell/client/time-units"
import type * as core from "@restwell/core"
import {
  accountGone,
  databaseTrouble,
  Forbidden,
  InvalidRequest,
  isAccountGone,
  QuotaExceeded,
  ServiceError,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from "@restwell/core"
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Logger } from "../../process/logger.ts"
import { throttle } from "../../process/wait.ts"

/** What a client is sent for an error. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: string; readonly message: string } & Readonly<Record<string, unknown>>
}

type InstanceOf<Export> = Export extends new (...parameters: never[]) => infer Instance ? Instance : never

/** The codes of all errors that core exports. */
type ErrorCode = Extract<InstanceOf<(typeof core)[keyof typeof core]>, ServiceError>["code"]

/** The only table of errors and statuses. An error class of core without a row does not compile. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  too_many_attempts: 429,
  receiver_failed: 502,
  unavailable: 503,
} satisfies Record<ErrorCode, number>

const RETRY_AFTER_SECONDS = 2

/** The response to an error. An error that is not in the table is a bug: 500, and the log has its cause. */
export function errorAnswer(error: unknown, requestId: string, now: Date): ErrorAnswer {
  if (error instanceof ServiceError) return answerOfServiceError(error, now)
  if (isClientFault(error)) return answerOfFastifyError(error)
  if (isAccountGone(error)) return answerOfServiceError(accountGone(), now)
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return answerOfServiceError(new Unavailable(trouble, RETRY_AFTER_SECONDS), now)
  const message = "internal error, the operator finds its cause in the log under this request_id"
  return { status: 500, headers: {}, body: { error: "internal_error", message, request_id: requestId } }
}

function answerOfServiceError(error: ServiceError, now: Date): ErrorAnswer {
  const { code, message } = error
  const status = STATUSES[code]
  if (status === undefined) throw new Error(`no status for ${error.name}`, { cause: error })
  return { status, headers: headersOf(error, now), body: { error: code, message, ...fieldsOf(error) } }
}

function fieldsOf(error: ServiceError): Record<string, unknown> {
  if (error instanceof InvalidRequest) return { field: error.field }
  if (error instanceof Forbidden)
    return {
      ...(error.scope !== undefined && { scope: error.scope }),
      ...(error.fromDate !== undefined && { from_date: error.fromDate }),
    }
  if (!(error instanceof QuotaExceeded || error instanceof TooManyRequests)) return {}
  return { limit: error.limit, ...(error.reset && { reset: error.reset.toISOString() }) }
}

function headersOf(error: ServiceError, now: Date): Record<string, string> {
  if (error instanceof Unauthorized) return { "www-authenticate": "Bearer" }
  if (error instanceof QuotaExceeded) {
    const seconds = Math.max(1, Math.ceil((error.reset.getTime() - now.getTime()) / 1000))
    return { "retry-after": String(seconds) }
  }
  return "retryAfterSeconds" in error ? { "retry-after": String(error.retryAfterSeconds) } : {}
}

/** Codes of what Fastify refuses before a handler runs. */
const REFUSALS: Readonly<Record<number, readonly [string, string]>> = {
  400: ["invalid_request", "the request is malformed"],
  413: ["payload_too_large", "the body is too large"],
  414: ["uri_too_long", "the URL is too long"],
  415: ["unsupported_media_type", "the body must be application/json"],
  431: ["headers_too_large", "the headers are too large"],
}

/** What is wrong, where the status alone does not say it. */
const MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "the body is not valid JSON",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "the length of the body differs from Content-Length",
  FST_ERR_BAD_URL: "the path has a % that begins no escape sequence",
  FST_ERR_MAX_PARAM_LENGTH: "a part of the path is too long",
}

function answerOfFastifyError({ statusCode: status = 400, code }: FastifyError): ErrorAnswer {
  const [error, general] = REFUSALS[status] ?? ["invalid_request", "the request cannot be accepted"]
  const field = /BAD_URL|PARAM/.test(code) ? "path" : "body"
  const message = MESSAGES[code] ?? general
  return { status, headers: {}, body: { error, message, ...(error === "invalid_request" && { field }) } }
}

const isClientFault = (error: unknown): error is FastifyError =>
  error instanceof Error &&
  "statusCode" in error &&
  typeof error.statusCode === "number" &&
  error.statusCode >= 400 &&
  error.statusCode < 500

/** Logs that a request failed with an error of ours. */
export type LogFailure = (error: unknown, requestId: string) => void

/** One line for each bug. An outage fails every request, so it is logged at most every ten seconds. */
export function createFailureLog(logger: Logger): LogFailure {
  const outage = throttle((failures, error: unknown, requestId: string) =>
    logger.error({ err: error, reqId: requestId, failures }, "requests fail"),
  )
  return (error, requestId) => {
    if (error instanceof Unavailable || databaseTrouble(error) !== undefined) outage(error, requestId)
    else logger.error({ err: error, reqId: requestId }, "request failed")
  }
}

/** Sends an error to the client and logs it if it is ours. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { now, logFailure }: { readonly now: Date; readonly logFailure: LogFailure },
): FastifyReply {
  const { status, headers, body } = errorAnswer(error, request.id, now)
  if (status >= 500) logFailure(error, request.id)
  return reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body)
}

interface RawResponse {
  readonly status: number
  readonly reason: string
  readonly body: Readonly<Record<string, string>>
}

const TOO_LATE: RawResponse = {
  status: 408,
  reason: "Request Timeout",
  body: { error: "request_timeout", message: "the request took too long to arrive" },
}

/** Responses to errors of Node's HTTP parser, by code. */
const CONNECTION_REFUSALS: Readonly<Record<string, RawResponse>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "Request Header Fields Too Large",
    body: { error: "headers_too_large", message: "the headers are too large" },
  },
  ERR_HTTP_REQUEST_TIMEOUT: TOO_LATE,
}

const badRequest = (message: string, field: string): RawResponse => ({
  status: 400,
  reason: "Bad Request",
  body: { error: "invalid_request", message, field },
})

const EXPECTATION_FAILED = {
  error: "expectation_failed",
  message: "the only supported Expect is 100-continue",
} as const

/** Answers what Node could not parse as a request, in JSON. */
export function answerClientError(error: Error, socket: Duplex): void {
  const code = "code" in error ? String(error.code) : ""
  const isHead = "rawPacket" in error && String(error.rawPacket).startsWith("HEAD ")
  if (code === "ECONNRESET") socket.destroy()
  else sendRaw(socket, CONNECTION_REFUSALS[code] ?? badRequest("this is not a valid HTTP request", "request"), isHead)
}

/** Answers requests that Node would answer without a body, or by closing the connection. */
export function answerOddRequests(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    // The client may close the connection before it reads the response.
    socket.on("error", () => socket.destroy())
    sendRaw(socket, badRequest("this server is not a proxy", "method"), false)
  })
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const text = JSON.stringify(EXPECTATION_FAILED)
    response.writeHead(417, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
    })
    response.end(text)
  })
}

/** @param isHead the answer has no body (RFC 9110 9.3.2), which the client would take for the next answer */
function sendRaw(socket: Duplex, { status, reason, body }: RawResponse, isHead: boolean): void {
  if (!socket.writable) return void socket.destroy()
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${isHead ? "" : text}`,
  )
}

/** How long an upload may take to arrive: 4 GB over a slow line. */
export const LONGEST_UPLOAD_MS = 6 * HOUR_MS

/** Refuses bodies that take longer than `limitMs` to arrive, but for those of `exceptPaths`. Node's own limit is one for all requests. */
export function refuseSlowBodies(
  app: FastifyInstance,
  {
    limitMs,
    exceptPaths,
    wait,
  }: { limitMs: number; exceptPaths: readonly string[]; wait: (milliseconds: number) => Promise<void> },
): void {
  app.addHook("onRequest", ({ raw, routeOptions }, _reply, done) => {
    if (hasBody(raw) && !exceptPaths.includes(routeOptions.url ?? ""))
      void wait(limitMs).then(() => refuseIncomplete(raw))
    done()
  })
}

/** RFC 9112 6: one of these headers announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

function refuseIncomplete(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  sendRaw(request.socket, TOO_LATE, request.method === "HEAD")
}

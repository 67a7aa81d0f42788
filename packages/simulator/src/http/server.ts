/** The HTTP server around a vendor's API: request log, faults, plain error replies. */
import { setTimeout as delay } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import fastify from "fastify"
import type { SimulatedClock } from "../world/clock.ts"
import type { Fault, Faults } from "./faults.ts"
import type { LoggedRequest, RequestLog } from "./request-log.ts"
import { acceptForms, credentialOf, formOf, ReplyError, type VendorApi } from "./vendor-api.ts"

/** A request in progress. */
interface Exchange {
  readonly logged: LoggedRequest
  fault: Fault | undefined
}

interface FaultHookParts {
  readonly faults: Faults
  /** Returns nothing for requests that faults must not affect. */
  readonly exchangeOf: (request: FastifyRequest) => Exchange | undefined
  readonly api: VendorApi
}

const BROKEN_PAGE =
  "<!doctype html><html><head><title>Service unavailable</title></head><body><h1>Sorry</h1></body></html>"

/** Adds the hooks that run before and after the handler. */
function addFaultHooks(app: FastifyInstance, { faults, exchangeOf, api }: FaultHookParts): void {
  app.addHook("preHandler", async (request, reply) => {
    const exchange = exchangeOf(request)
    if (!exchange) return undefined
    const { method, path, personId } = exchange.logged
    const fault = faults.take({ method, path, personId })
    if (!fault) return undefined
    exchange.fault = fault
    exchange.logged.fault = fault.kind
    return applyBeforeHandler(fault, reply, api)
  })
  app.addHook("onSend", async (request, reply, payload: unknown) => {
    const exchange = exchangeOf(request)
    return exchange?.fault ? applyToReply(exchange.fault, exchange.logged.path, reply, payload) : payload
  })
}

async function applyBeforeHandler(fault: Fault, reply: FastifyReply, api: VendorApi) {
  switch (fault.kind) {
    case "latency":
      await delay(fault.ms ?? 1000)
      return undefined
    case "hang":
      return reply.hijack()
    case "reset_connection":
      reply.hijack()
      reply.raw.socket?.resetAndDestroy()
      return reply
    case "status":
      return reply
        .code(fault.status ?? 500)
        .headers({ ...fault.headers })
        .send(fault.body ?? "")
    case "html":
      return reply
        .code(fault.status ?? 200)
        .headers({ "content-type": "text/html; charset=utf-8", ...fault.headers })
        .send(fault.body ?? BROKEN_PAGE)
    case "rate_limit":
      throw withHeaders(api.rateLimitExceeded(), fault.headers)
    default:
      return undefined
  }
}

function withHeaders({ status, body, headers }: ReplyError, more: Fault["headers"]): ReplyError {
  return new ReplyError(status, body, { ...headers, ...more })
}

/** Changes the reply only: the request has taken effect by now. */
async function applyToReply(fault: Fault, path: string, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const text = typeof payload === "string" ? payload : ""
  const half = text.slice(0, Math.floor(text.length / 2))
  switch (fault.kind) {
    case "late_reply":
      await delay(fault.ms ?? 1000)
      return payload
    case "malformed_json":
      return `{"records": [}${half}`
    case "truncated_json":
      reply.header("content-length", Buffer.byteLength(half))
      return half
    case "transform":
      return JSON.stringify(fault.transform?.(JSON.parse(text), path))
    case "rewrite":
      return fault.rewrite?.(text, path) ?? text
    case "drop_reply_after_effect":
      reply.raw.socket?.resetAndDestroy()
      return payload
    case "cut_body":
      cutBody(reply, text, half)
      return payload
    default:
      return payload
  }
}

/** Announces the length of the whole body, sends half of it and closes the connection. */
function cutBody(reply: FastifyReply, text: string, half: string): void {
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  })
  reply.raw.write(half, () => reply.raw.socket?.destroy())
}

/** Paths of the control API. They are neither logged nor subject to faults. */
export const CONTROL_PREFIX = "/_simulator"

interface ServerParts {
  readonly api: VendorApi
  readonly clock: SimulatedClock
  readonly faults: Faults
  readonly requestLog: RequestLog
}

/** Returns a server that is ready to listen. */
export function createServer({ api, clock, faults, requestLog }: ServerParts): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: false } })
  const exchanges = new WeakMap<FastifyRequest, Exchange>()
  acceptForms(app)
  app.addHook("onRequest", async (request) => {
    if (request.url.startsWith(CONTROL_PREFIX)) return
    const logged = beginEntry(api, clock, request)
    requestLog.add(logged)
    exchanges.set(request, { logged, fault: undefined })
  })
  app.addHook("preHandler", async (request) => {
    const logged = exchanges.get(request)?.logged
    if (logged) logForm(api, formOf(request), logged)
  })
  app.addHook("onResponse", async (request, reply) => {
    const logged = exchanges.get(request)?.logged
    if (logged && !reply.raw.destroyed) logged.status = reply.statusCode
  })
  addFaultHooks(app, { faults, exchangeOf: (request) => exchanges.get(request), api })
  addErrorReplies(app)
  api.addRoutes(app)
  return app
}

function beginEntry(api: VendorApi, clock: SimulatedClock, request: FastifyRequest): LoggedRequest {
  const { pathname, search } = new URL(request.url, "http://localhost")
  const token = credentialOf(request)
  return {
    at: clock.now().toISOString(),
    method: request.method,
    path: pathname,
    query: search,
    personId: token === undefined ? undefined : api.ownerOf(token),
  }
}

/** Adds what only the body of a request contains. */
function logForm(api: VendorApi, form: URLSearchParams, logged: LoggedRequest): void {
  const grantType = form.get("grant_type")
  const action = form.get("action")
  if (action !== null) logged.path = `${logged.path}/${action}`
  if (grantType === null) {
    if (action !== null) logged.query = `?${form.toString()}`
    return
  }
  logged.grantType = grantType
  logged.personId = api.ownerOf(form.get("refresh_token") ?? form.get("code") ?? "")
}

/** Replies to errors with a status and a body that is empty or a few words. */
function addErrorReplies(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ReplyError)
      return reply.code(error.status).type("text/plain").headers(error.headers).send(error.body)
    const status = clientErrorStatus(error)
    if (status !== undefined) return reply.code(status).type("text/plain").send("Bad Request")
    throw error
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(""))
}

/** Fastify's own errors, such as an unreadable body, have a status of 400 to 499. */
function clientErrorStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error) || typeof error.statusCode !== "number") return undefined
  return error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : undefined
}

/** The HTTP server around a vendor's API: request log, faults, plain error replies. */
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify"
import type { SimulatedClock } from "../clock/clock.ts"
import type { Faults } from "../faults/faults.ts"
import type { LoggedRequest, RequestLog } from "../requests/request-log.ts"
import { addFaultHooks, type Exchange } from "./fault-hooks.ts"
import { ReplyError } from "./reply-error.ts"
import { acceptForms, bearerToken, formOf } from "./request.ts"
import type { VendorApi } from "./vendor-api.ts"

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
    if (logged) logGrant(api, formOf(request), logged)
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
  const token = bearerToken(request)
  return {
    at: clock.now().toISOString(),
    method: request.method,
    path: pathname,
    query: search,
    personId: token === undefined ? undefined : api.ownerOf(token),
  }
}

/** Adds what only the body of a token request contains. */
function logGrant(api: VendorApi, form: URLSearchParams, logged: LoggedRequest): void {
  const grantType = form.get("grant_type")
  if (grantType === null) return
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

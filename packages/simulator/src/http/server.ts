/** The HTTP server of the simulated WHOOP: log, faults, the two halves of its API, and the control API beside them. */
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify"
import type { Faults } from "../faults/faults.ts"
import type { LoggedRequest, RequestLog } from "../requests/request-log.ts"
import { addAuthorizeRoutes } from "../whoop/authorize.ts"
import { addDataRoutes, bearerToken } from "../whoop/data-routes.ts"
import { addTokenRoute } from "../whoop/token.ts"
import type { Vendor } from "../whoop/vendor.ts"
import { addFaultHooks, type Exchange } from "./fault-hooks.ts"
import { ReplyError } from "./reply-error.ts"
import { acceptForms, formOf } from "./request.ts"

/** Paths below this belong to the simulator and not to WHOOP. */
export const CONTROL_PREFIX = "/_simulator"

/** Returns a server that is ready to listen. */
export function createServer(vendor: Vendor, faults: Faults, requestLog: RequestLog): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: false } })
  const exchanges = new WeakMap<FastifyRequest, Exchange>()
  acceptForms(app)
  app.addHook("onRequest", async (request) => {
    if (request.url.startsWith(CONTROL_PREFIX)) return
    const logged = beginEntry(vendor, request)
    requestLog.add(logged)
    exchanges.set(request, { logged, fault: undefined })
  })
  app.addHook("preHandler", async (request) => {
    const logged = exchanges.get(request)?.logged
    if (logged) nameGrant(vendor, formOf(request), logged)
  })
  app.addHook("onResponse", async (request, reply) => {
    const logged = exchanges.get(request)?.logged
    if (logged && !reply.raw.destroyed) logged.status = reply.statusCode
  })
  addFaultHooks(
    app,
    faults,
    (request) => exchanges.get(request),
    () => vendor.rateLimiter.headers(vendor.settings.clientId),
  )
  refusePlainly(app)
  addAuthorizeRoutes(app, vendor)
  addTokenRoute(app, vendor)
  addDataRoutes(app, vendor)
  return app
}

function beginEntry({ clock, grants }: Vendor, request: FastifyRequest): LoggedRequest {
  const { pathname, search } = new URL(request.url, "http://localhost")
  const token = bearerToken(request)
  return {
    at: clock.now().toISOString(),
    method: request.method,
    path: pathname,
    query: search,
    personId: token === undefined ? undefined : grants.ownerOf(token),
  }
}

/** Fills in what only the body of a token request tells. */
function nameGrant({ grants }: Vendor, form: URLSearchParams, logged: LoggedRequest): void {
  const grantType = form.get("grant_type")
  if (grantType === null) return
  logged.grantType = grantType
  logged.personId = grants.ownerOf(form.get("refresh_token") ?? form.get("code") ?? "")
}

/** Errors as WHOOP sends them: a status, and a body that is empty or a few words. */
function refusePlainly(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ReplyError)
      return reply.code(error.status).headers(error.headers).type("text/plain").send(error.body)
    const status = clientErrorStatus(error)
    if (status !== undefined) return reply.code(status).type("text/plain").send("Bad Request")
    throw error
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(""))
}

/** Fastify's own refusals, such as a body it cannot read, carry a status of 400 to 499. */
function clientErrorStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error) || typeof error.statusCode !== "number") return undefined
  return error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : undefined
}

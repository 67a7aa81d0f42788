import { nearestName } from "@restwell/client"
import { type HealthReader, ServiceError } from "@restwell/core"
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import Fastify, { LogController } from "fastify"
import { collectDefaultMetrics, type Registry } from "prom-client"
import type { Config } from "../config/config.ts"
import type { Logger } from "../process/logger.ts"
import { waitInRealTime, waitUnreferenced } from "../process/wait.ts"
import { IMPORTS_PATH } from "./connections/imports.ts"
import { PUSH_PATHS } from "./connections/pushes.ts"
import { quotaHeaders } from "./health/answer-read.ts"
import { readBearer } from "./health/health-query.ts"
import { addRoutes, compressLarge } from "./plumbing/add-routes.ts"
import { type Asset, serveAssets, serveManual } from "./plumbing/assets.ts"
import { openRoute, type Route } from "./plumbing/endpoint.ts"
import {
  answerClientError,
  answerOddRequests,
  createFailureLog,
  LONGEST_UPLOAD_MS,
  refuseSlowBodies,
  sendError,
} from "./plumbing/errors.ts"
import { limitVisitors } from "./plumbing/limit-visitors.ts"
import { measureBackups, measureRequests, measureSyncs } from "./plumbing/metrics.ts"
import { drainConnections, limitConnections, type Readiness, shedLoad } from "./plumbing/readiness.ts"
import { limitRequests, requestIdOf } from "./plumbing/requests.ts"
import { allowOtherOrigins, liveSecurityHeaders } from "./plumbing/security-headers.ts"
import { routesOf, type Services } from "./routes.ts"
import { type MetricsServices, metricsEndpoint, type ProbeServices, probeEndpoints } from "./service/probes.ts"

/** Of requests that say nothing else. */
const BODY_BYTES = 16_384
/** How long a request may take to arrive. Node checks every two seconds. */
const HEADERS_MS = 10_000
const REQUEST_MS = 15_000
const CHECK_MS = 2_000
/** Longer than a proxy keeps a connection, so that we never close one that the proxy is about to use. */
const KEEP_ALIVE_MS = 75_000

interface AppOptions {
  readonly registry: Registry
  readonly readiness: Readiness
  /** What the handlers call. It changes with the public address. */
  readonly live: () => Services
  readonly config: Pick<Config, "trustProxy" | "maxConnections" | "metricsPort" | "metricsToken">
  readonly logger: Logger
  /** The folder of the dashboard's scripts, styles and images. */
  readonly assetsFolder: string
}

/** The HTTP side of the service, ready to listen, or to be called without a port. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { live, logger, readiness, registry } = options
  const { context, reader, page, manual } = live()
  const logFailure = createFailureLog(logger)
  const handleError: HandleError = (error, request, reply) =>
    sendError(error, request, reply, { now: context.clock.now(), logFailure })
  const app = createFastify(options, handleError)
  const securityHeaders = liveSecurityHeaders(() => live().baseUrl)
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(securityHeaders()).header("x-request-id", request.id)
    done()
  })
  drainConnections(app, readiness, waitInRealTime)
  app.addHook("preClose", () => live().connector.close())
  answerOddRequests(app.server)
  limitConnections(app.server, options.config.maxConnections, logger)
  limitRequests(app)
  limitVisitors(app, waitUnreferenced)
  refuseSlowBodies(app, { limitMs: REQUEST_MS, exceptPaths: [IMPORTS_PATH, ...PUSH_PATHS], wait: waitUnreferenced })
  allowOtherOrigins(app)
  shedLoad(app, readiness)
  measureRequests(app, registry, logger)
  measureSyncs(context, registry)
  measureBackups(context, registry)
  const routes = routesOf(live)
  const notFound = notFoundHandler(routes, { reader, page })
  // Before the body is read: a request that no route takes gets the same response whatever its body is.
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) notFound(request, reply).catch(done)
    else done()
  })
  app.setNotFoundHandler(notFound)
  await serveAssets(app, options.assetsFolder)
  if (manual !== undefined) await serveManual(app, manual)
  await compressLarge(app)
  app.setErrorHandler(handleError)
  await addRoutes(app, routes, () => live().baseUrl)
  return app
}

/** Fastify itself trusts nobody where it is given a number of hops. */
const trustOf = (setting: Config["trustProxy"]): boolean | string | ((address: string, hop: number) => boolean) =>
  typeof setting === "number" ? (_address, hop) => hop < setting : setting

type HandleError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

function createFastify({ config, logger }: AppOptions, handleError: HandleError): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = logger
  return Fastify({
    loggerInstance,
    // plumbing/metrics.ts logs one line for each request.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent,
    genReqId: requestIdOf,
    trustProxy: trustOf(config.trustProxy),
    bodyLimit: BODY_BYTES,
    // A request that was accepted before the server closes is answered.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    keepAliveTimeout: KEEP_ALIVE_MS,
    // refuseSlowBodies has a shorter limit for all requests but uploads.
    requestTimeout: LONGEST_UPLOAD_MS,
    // limitRequests refuses a request without Host, in JSON.
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS, requireHostHeader: false },
    routerOptions: { maxParamLength: 64 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
  })
}

/** The HTTP side of a worker: it answers probes and nothing else. */
export async function buildProbeApp(services: ProbeServices, baseUrl: string): Promise<FastifyInstance> {
  collectDefaultMetrics({ register: services.registry })
  const app = Fastify({ forceCloseConnections: true })
  const metrics = services.config.metricsPort === undefined ? [metricsEndpoint("shared")] : []
  const routes = [...probeEndpoints, ...metrics].map((endpoint) => openRoute(endpoint, () => services))
  await addRoutes(app, routes, () => baseUrl)
  app.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .send({ error: "not_found", message: "this process is a worker, it serves only /healthz, /readyz and /metrics" }),
  )
  return app
}

/** The HTTP side of METRICS_PORT: metrics and nothing else. */
export async function buildMetricsApp(services: MetricsServices, baseUrl: string): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  await compressLarge(app)
  await addRoutes(app, [openRoute(metricsEndpoint("own"), () => services)], () => baseUrl)
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({ error: "not_found", message: "this port serves only /metrics" }),
  )
  return app
}

/** A path that takes more edits is no misspelling of another. */
const MOST_EDITS = 5
/** Characters of a path that an answer repeats. */
const LONGEST_PATH = 80

/** What API keys read begins with it. */
const KEY_PATHS = "/api/v1/"

interface NotFoundServices {
  readonly reader: HealthReader
  readonly page: Asset
}

/**
 * Answers a request that no route takes: 405 with the methods of the path, or 404 with the path that was probably meant. A browser that opens
 * an address outside of the API gets the dashboard, which says that there is no such page.
 */
function notFoundHandler(routes: readonly Route[], { reader, page }: NotFoundServices): Route["handle"] {
  const known = routes.map((route) => ({ route, pattern: patternOf(route.path) }))
  const paths = [...new Set(routes.map((route) => route.path))]
  return async (request, reply) => {
    reply.header("cache-control", "no-store")
    const [path = ""] = request.url.split("?")
    // Every response to a valid key has the quota.
    if (path.startsWith(KEY_PATHS)) await addQuota(reader, request, reply)
    const matching = known.flatMap(({ route, pattern }) => (!route.isRefusal && pattern.test(path) ? [route] : []))
    const allowed = matching.flatMap(methodsOf)
    if (allowed.length > 0) {
      const allow = allowed.join(", ")
      return reply
        .code(405)
        .header("allow", allow)
        .send({ error: "method_not_allowed", message: `${path.slice(0, LONGEST_PATH)} takes ${allow}` })
    }
    reply.header("vary", "accept")
    if (isPageVisit(request, path)) return reply.code(404).type(page.contentType).send(page.bytes)
    const meant = nearestName(path, paths, MOST_EDITS)
    const hint = meant === undefined ? "the reference is at /docs" : `did you mean ${meant}`
    return reply.code(404).send({ error: "route_not_found", message: `there is nothing here, ${hint}` })
  }
}

/** Only browsers that open a page prefer HTML. Scripts and images accept anything. */
const isPageVisit = ({ method, headers }: FastifyRequest, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  !/^\/(?:api|oauth|\.well-known)(?:\/|$)/.test(path) &&
  /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(headers.accept ?? "")

const methodsOf = ({ method, isVisit, isProbed }: Route): string[] =>
  method === "GET" && (!isVisit || isProbed) ? ["GET", "HEAD"] : [method]

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`)

/** Adds the quota of a valid key. An invalid key changes nothing here. */
async function addQuota(reader: HealthReader, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers.authorization === undefined) return
  try {
    reply.headers(quotaHeaders(await reader.readQuota({ keyHash: readBearer(request.raw) })))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

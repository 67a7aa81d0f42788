import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import Fastify, { LogController } from "fastify"
import type { Registry } from "prom-client"
import type { Config } from "../config/config.ts"
import type { Logger } from "../process/logger.ts"
import { waitInRealTime, waitUnreferenced } from "../process/wait.ts"
import { IMPORTS_PATH } from "./connections/imports.ts"
import { notFoundHandler } from "./not-found.ts"
import { addRoutes, compressLarge } from "./plumbing/add-routes.ts"
import { serveAssets, serveManual } from "./plumbing/assets.ts"
import {
  answerClientError,
  answerOddRequests,
  createFailureLog,
  LONGEST_UPLOAD_MS,
  refuseSlowBodies,
  sendError,
} from "./plumbing/errors.ts"
import { measureBackups, measureRequests, measureSyncs } from "./plumbing/metrics.ts"
import { drainConnections, limitConnections, type Readiness, shedLoad } from "./plumbing/readiness.ts"
import { limitRequests, requestIdOf } from "./plumbing/requests.ts"
import { allowOtherOrigins, liveSecurityHeaders } from "./plumbing/security-headers.ts"
import { liveRoutes, type Services } from "./routes.ts"

const BODY_BYTES = 65_536
/** How long a request may take to arrive. Node checks every two seconds. */
const HEADERS_MS = 10_000
const REQUEST_MS = 15_000
const CHECK_MS = 2_000
/** Longer than a proxy keeps a connection, so that we never close one that the proxy is about to use. */
const KEEP_ALIVE_MS = 75_000

export interface AppOptions {
  readonly registry: Registry
  readonly readiness: Readiness
  /** What the handlers call. It changes with the public address. */
  readonly live: () => Services
  readonly config: Pick<Config, "trustProxy" | "maxConnections" | "metricsPort" | "metricsToken">
  readonly logger: Logger
}

/** The HTTP side of the service, ready to listen, or to be called without a port. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { live, logger, readiness, registry } = options
  const { context, reader, dashboard, manual } = live()
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
  refuseSlowBodies(app, { limitMs: REQUEST_MS, exceptPath: IMPORTS_PATH, wait: waitUnreferenced })
  allowOtherOrigins(app)
  shedLoad(app, readiness)
  measureRequests(app, registry, logger)
  measureSyncs(context, registry)
  measureBackups(context, registry)
  const routes = liveRoutes(live)
  const notFound = notFoundHandler(routes, { reader, dashboard })
  // Before the body is read: a request that no route takes gets the same response whatever its body is.
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) notFound(request, reply).catch(done)
    else done()
  })
  app.setNotFoundHandler(notFound)
  await serveAssets(app, dashboard.assetsFolder)
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

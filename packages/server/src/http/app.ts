import { constants } from "node:zlib"
import compress from "@fastify/compress"
import helmet from "@fastify/helmet"
import type { FastifyBaseLogger, FastifyInstance } from "fastify"
import Fastify, { errorCodes, LogController } from "fastify"
import type { Config } from "../config/config.ts"
import type { Logger } from "../log/logger.ts"
import { notFoundDoor } from "./not-found.ts"
import { answerClientError, answerOddRequests } from "./plumbing/client-error.ts"
import { allowOtherOrigins } from "./plumbing/cors.ts"
import { sendError } from "./plumbing/errors.ts"
import { createFailureLog } from "./plumbing/failure-log.ts"
import { measureRequests } from "./plumbing/metrics.ts"
import { PROBES } from "./plumbing/probe-handlers.ts"
import type { Readiness } from "./plumbing/readiness.ts"
import { requestIdOf } from "./plumbing/request-id.ts"
import { limitRequests } from "./plumbing/request-limits.ts"
import { turnAway } from "./plumbing/shed-load.ts"
import { serveAssets } from "./plumbing/static-assets.ts"
import { measureSyncs } from "./plumbing/sync-metrics.ts"
import { type Doors, type Route, routesOf } from "./routes.ts"

const BODY_BYTES = 65_536
/** A client that dribbles its request is not waited for longer. Node looks for such ones every two seconds. */
const HEADERS_MS = 10_000
const REQUEST_MS = 15_000
const LOOK_MS = 2_000
/** Longer than a proxy keeps a connection, so that it is never we who close one that is about to be used. */
const KEEP_ALIVE_MS = 75_000
const SWEEP_MS = 50
/** What is made for one person at one moment is compressed fast rather than small. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export interface AppOptions extends Doors {
  readonly config: Pick<Config, "trustProxy">
  readonly logger: Logger
}

/** The HTTP side of the service, ready to listen or to be asked without a port. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, context, reader, registry } = options
  const loggerInstance: FastifyBaseLogger = options.logger
  const logFailure = createFailureLog(options.logger)
  const sink = () => ({ now: context.clock.now(), logFailure })
  const app = Fastify({
    loggerInstance,
    // One line a request is written where it is measured.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: config.trustProxy,
    bodyLimit: BODY_BYTES,
    // What was accepted while the server closes is answered all the same.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    // A request without Host is refused by us, in JSON.
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS, requireHostHeader: false },
    routerOptions: { maxParamLength: 64 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply, sink()),
  })
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id)
  })
  drainConnections(app, options.readiness)
  app.addHook("preClose", () => options.connector.close())
  answerOddRequests(app.server)
  await app.register(helmet, helmetOptions(options.baseUrl))
  limitRequests(app)
  allowOtherOrigins(app)
  turnAway(app, options.readiness)
  measureRequests(app, registry, options.logger)
  measureSyncs(context, registry)
  readJsonBodies(app)
  const routes = routesOf(options)
  const notFound = notFoundDoor(routes, reader)
  // Before a body is read: what no route takes is answered the same whatever is in it.
  app.addHook("onRequest", async (request, reply) => (request.is404 ? notFound(request, reply) : undefined))
  app.setNotFoundHandler(notFound)
  await serveAssets(app, options.dashboard.assetsFolder)
  await app.register(compress, { global: false, encodings: ["br", "gzip"], brotliOptions: BROTLI })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, sink()))
  addRoutes(
    app,
    routes.filter(({ takesBytes }) => !takesBytes),
  )
  await app.register(async (scope) => {
    readBytes(scope)
    addRoutes(
      scope,
      routes.filter(({ takesBytes }) => takesBytes),
    )
  })
  return app
}

function addRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  for (const { method, path, door, isLarge = false } of routes)
    app.route({ method, url: path, handler: door, ...(isLarge && { compress: {} }) })
}

/** Once the end is near an answered connection is done: a client that kept it would hold the end up, or write into a closed one. */
function drainConnections(app: FastifyInstance, readiness: Readiness): void {
  let sweep: NodeJS.Timeout | undefined
  // Whoever looks whether to send requests here sends none by looking.
  app.addHook("onRequest", async ({ routeOptions: { url = "" } }) => {
    if (!PROBES.has(url)) readiness.noteRequest()
  })
  app.addHook("onSend", async (_request, reply) => {
    if (readiness.isDraining) reply.header("connection", "close")
  })
  app.addHook("preClose", async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  })
  app.addHook("onClose", async () => clearInterval(sweep))
}

/** Nothing may be loaded but our own files, no text becomes code, and nobody may put us into a frame. */
const helmetOptions = (baseUrl: string) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
  },
  strictTransportSecurity: baseUrl.startsWith("https:") ? { maxAge: 31_536_000 } : false,
  referrerPolicy: { policy: "no-referrer" as const },
  xFrameOptions: { action: "deny" as const },
  // Other sites read by CORS, where that is allowed, and embed nothing.
  crossOriginResourcePolicy: { policy: "same-origin" as const },
})

const TAKES_FORM = /^\/(?:api\/auth\/callback\/|oauth\/(?:token|revoke|consent\/))/

/** Bodies are bytes, whatever they call themselves: a signature is over them. */
function readBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))
}

/** Bodies are JSON. Many programs name a JSON body and send none. */
function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser("text/plain")
  const parseJson = app.getDefaultJsonParser("error", "error")
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body.toString(), done)
  })
  // Forms come from OpenID providers, from OAuth clients and from the consent page; every other path goes on taking JSON alone.
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (request, body, done) =>
    TAKES_FORM.test(request.url) ? done(null, body) : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  )
}

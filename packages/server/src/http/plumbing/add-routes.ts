import { constants } from "node:zlib"
import compress, { type FastifyCompressOptions } from "@fastify/compress"
import type { FastifyInstance } from "fastify"
import type { Route } from "./endpoint.ts"
import { readBytes, readFile, readForms, readJson, readStream } from "./requests.ts"
import { refuseForeignOrigin } from "./security-headers.ts"

/** Each large response is compressed for one request, so speed matters more than size. A route does not inherit options of the plugin. */
const LARGE: FastifyCompressOptions = {
  encodings: ["br", "gzip", "identity"],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}

/** Compresses the responses of routes that are large. Call it before the routes are added. */
export const compressLarge = async (app: FastifyInstance): Promise<void> =>
  void (await app.register(compress, { global: false }))

/** The only place where routes are added: changes from other sites are refused here, so no route can forget to. */
export async function addRoutes(app: FastifyInstance, routes: readonly Route[], baseUrl: () => string): Promise<void> {
  readJson(app)
  for (const [body, readBody] of [
    ["json", () => {}],
    ["form", readForms],
    ["bytes", readBytes],
    ["file", readFile],
    ["stream", readStream],
  ] as const)
    await app.register(async (scope) => {
      await readBody(scope)
      for (const route of routes) if ((route.bodyType ?? "json") === body) addRoute(scope, route, baseUrl)
    })
}

function addRoute(app: FastifyInstance, route: Route, baseUrl: () => string): void {
  const { method, path, fromAnySite = false, isLarge = false, isVisit = false, mostBodyBytes, sendError } = route
  const handle = sendBody(route.handle)
  if (route.isProbed)
    app.route({
      method: "HEAD",
      url: path,
      exposeHeadRoute: false,
      handler: (_request, reply) => reply.header("cache-control", "no-store").send(),
    })
  app.route({
    method: method === "GET" && !isVisit ? ["GET", "HEAD"] : method,
    // Fastify's own HEAD computes the whole body.
    exposeHeadRoute: false,
    url: path,
    // Only a handler that says so lets its response be stored.
    onRequest(_request, reply, done) {
      reply.header("cache-control", "no-store")
      done()
    },
    // GET changes nothing, so it may come from anywhere.
    handler: fromAnySite || method === "GET" ? handle : refuseForeignOrigin(baseUrl, handle),
    ...(isLarge && { compress: LARGE }),
    ...(mostBodyBytes !== undefined && { bodyLimit: mostBodyBytes }),
    ...(sendError && { errorHandler: sendError }),
  })
}

/** Computes the body that a handler returns as a function, but for HEAD. */
const sendBody =
  (handle: Route["handle"]): Route["handle"] =>
  async (request, reply) => {
    const body = await handle(request, reply)
    if (typeof body !== "function") return body
    return request.method === "HEAD" ? reply.send() : body()
  }

import type { FastifyInstance } from "fastify"
import { readBytes, readFile, readForms, readJson } from "./bodies.ts"
import { refuseForeignOrigin } from "./foreign-origin.ts"
import type { Route } from "./route.ts"

/** The only place where routes are added: changes from other sites are refused here, so no route can forget to. */
export async function addRoutes(app: FastifyInstance, routes: readonly Route[], baseUrl: () => string): Promise<void> {
  readJson(app)
  for (const [body, readBody] of [
    ["json", () => {}],
    ["form", readForms],
    ["bytes", readBytes],
    ["file", readFile],
  ] as const)
    await app.register(async (scope) => {
      await readBody(scope)
      for (const route of routes) if ((route.body ?? "json") === body) addRoute(scope, route, baseUrl)
    })
}

function addRoute(app: FastifyInstance, route: Route, baseUrl: () => string): void {
  const { method, path, handle, fromAnySite = false, isLarge = false, sendError } = route
  app.route({
    method,
    url: path,
    // GET changes nothing, so it may come from anywhere.
    handler: fromAnySite || method === "GET" ? handle : refuseForeignOrigin(baseUrl, handle),
    ...(isLarge && { compress: {} }),
    ...(sendError && { errorHandler: sendError }),
  })
}

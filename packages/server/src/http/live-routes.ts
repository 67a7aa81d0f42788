import type { Route } from "./plumbing/route.ts"
import { routesOf, type Services } from "./routes.ts"

/**
 * The routes of the service. Their paths never change. What answers changes with the public address, between two requests, so a new address
 * needs no restart.
 */
export function liveRoutes(live: () => Services): Route[] {
  let made: { readonly services: Services; readonly routes: readonly Route[] } | undefined
  const current = () => {
    const services = live()
    if (made?.services !== services) made = { services, routes: routesOf(services) }
    return made.routes
  }
  const routeAt = (index: number): Route => {
    const route = current()[index]
    if (!route) throw new Error(`the routes have no entry ${index}`)
    return route
  }
  return current().map((route, index) => ({
    ...route,
    handle: (request, reply) => routeAt(index).handle(request, reply),
    ...(route.sendError && {
      sendError: (error, request, reply) => {
        const { sendError } = routeAt(index)
        if (!sendError) throw error
        return sendError(error, request, reply)
      },
    }),
  }))
}

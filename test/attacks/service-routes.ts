import type { Route } from "@restwell/server/endpoint"
import { routesOf } from "@restwell/server/routes"

export type AttackedRoute = Pick<Route, "method" | "path" | "isVisit" | "isProbed"> & {
  readonly body: NonNullable<Route["bodyType"]>
}

/** Every route of the service's own table, and what no route takes. */
export function serviceRoutes(): AttackedRoute[] {
  // Nobody calls the handlers of the table here, so they need no services.
  const table = routesOf(() => ({ ...Object.create(null), config: {} }))
  const beside = ["/assets/:file", "/nothing/:here", "/api/v1/health/"].map((path) => ({
    method: "GET" as const,
    path,
  }))
  return [...table, ...beside].map(({ method, path, ...route }) => ({
    method,
    path,
    body: "bodyType" in route && route.bodyType ? route.bodyType : "json",
    ...("isVisit" in route && route.isVisit && { isVisit: route.isVisit }),
    ...("isProbed" in route && route.isProbed && { isProbed: route.isProbed }),
  }))
}

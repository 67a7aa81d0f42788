import { readDashboard } from "@restwell/server/built-pages"
import type { Route } from "@restwell/server/endpoint"
import { routesOf, type Services } from "@restwell/server/routes"
import { z } from "zod"

export type AttackedRoute = Pick<Route, "method" | "path" | "isVisit"> & {
  readonly body: NonNullable<Route["bodyType"]>
}

/** The table is made without services, because nobody calls its handlers here. */
const TableServices = z.custom<Services>((value) => typeof value === "object")

/** Every route of the service's own table, and what no route takes. */
export async function serviceRoutes(): Promise<AttackedRoute[]> {
  const baseUrl = "http://localhost:3000"
  const dashboard = await readDashboard()
  const table = routesOf(
    TableServices.parse({ baseUrl, dashboard, description: {}, identityProviders: [], context: {}, config: {} }),
  )
  const beside = ["/assets/:file", "/nothing/:here", "/api/v1/health/"].map((path) => ({
    method: "GET" as const,
    path,
  }))
  return [...table, ...beside].map(({ method, path, ...route }) => ({
    method,
    path,
    body: "bodyType" in route && route.bodyType ? route.bodyType : "json",
    ...("isVisit" in route && route.isVisit && { isVisit: route.isVisit }),
  }))
}

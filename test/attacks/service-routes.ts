import { z } from "zod"
import { readDashboard } from "../../packages/server/src/dashboard/dashboard.ts"
import { describeService } from "../../packages/server/src/docs/describe-service.ts"
import type { Route } from "../../packages/server/src/http/plumbing/route.ts"
import { routesOf, type Services } from "../../packages/server/src/http/routes.ts"

export type AttackedRoute = Pick<Route, "method" | "path"> & Required<Pick<Route, "body">>

/** The table is made without services, because nobody calls its handlers here. */
const TableServices = z.custom<Services>((value) => typeof value === "object")

/** Every route of the service's own table, and what no route takes. */
export async function serviceRoutes(): Promise<AttackedRoute[]> {
  const baseUrl = "http://localhost:3000"
  const dashboard = await readDashboard()
  const assets = describeService(baseUrl, "0.0.0")
  const table = routesOf(
    TableServices.parse({ baseUrl, dashboard, assets, identityProviders: [], context: {}, config: {} }),
  )
  const beside = ["/assets/:file", "/nothing/:here", "/api/v1/health/"].map((path) => ({
    method: "GET" as const,
    path,
  }))
  return [...table, ...beside].map(({ method, path, ...route }) => ({
    method,
    path,
    body: "body" in route && route.body ? route.body : "json",
  }))
}

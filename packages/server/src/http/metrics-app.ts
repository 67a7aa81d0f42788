import type { FastifyInstance } from "fastify"
import Fastify from "fastify"
import { addRoutes } from "./plumbing/add-routes.ts"
import { type MetricsServices, metricsRoute } from "./plumbing/metrics-route.ts"

/** The HTTP side of METRICS_PORT: metrics and nothing else. */
export async function buildMetricsApp(services: MetricsServices, baseUrl: string): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  await addRoutes(app, [metricsRoute(services)], () => baseUrl)
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({ error: "not_found", message: "this port serves only /metrics" }),
  )
  return app
}

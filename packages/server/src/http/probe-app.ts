import type { FastifyInstance } from "fastify"
import Fastify from "fastify"
import { collectDefaultMetrics } from "prom-client"
import { addRoutes, compressLarge } from "./plumbing/add-routes.ts"
import { openRoute } from "./plumbing/endpoint.ts"
import { type MetricsServices, metricsEndpoint, type ProbeServices, probeEndpoints } from "./service/probes.ts"

/** The HTTP side of a worker: it answers probes and nothing else. */
export async function buildProbeApp(services: ProbeServices, baseUrl: string): Promise<FastifyInstance> {
  collectDefaultMetrics({ register: services.registry })
  const app = Fastify({ forceCloseConnections: true })
  const metrics = services.config.metricsPort === undefined ? [metricsEndpoint("shared")] : []
  const routes = [...probeEndpoints, ...metrics].map((endpoint) => openRoute(endpoint, services))
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
  await addRoutes(app, [openRoute(metricsEndpoint("own"), services)], () => baseUrl)
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({ error: "not_found", message: "this port serves only /metrics" }),
  )
  return app
}

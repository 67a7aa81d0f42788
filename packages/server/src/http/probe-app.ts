import type { FastifyInstance } from "fastify"
import Fastify from "fastify"
import { collectDefaultMetrics } from "prom-client"
import { addRoutes } from "./plumbing/add-routes.ts"
import { type ProbeServices, probeRoutes } from "./plumbing/probe-handlers.ts"

/** The HTTP side of a worker: it answers probes and nothing else. */
export async function buildProbeApp(services: ProbeServices, baseUrl: string): Promise<FastifyInstance> {
  collectDefaultMetrics({ register: services.registry })
  const app = Fastify({ forceCloseConnections: true })
  await addRoutes(app, probeRoutes(services), () => baseUrl)
  app.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .send({ error: "not_found", message: "this process is a worker, it serves only /healthz, /readyz and /metrics" }),
  )
  return app
}

import type { FastifyInstance } from "fastify"
import Fastify from "fastify"
import { collectDefaultMetrics, type Registry } from "prom-client"
import { livenessDoor, metricsDoor, readinessDoor } from "./plumbing/probe-handlers.ts"
import type { Readiness } from "./plumbing/readiness.ts"

export interface ProbeAppOptions {
  readonly readiness: Readiness
  readonly registry: Registry
}

/** The address of a process that only works: whoever runs it sees that it lives, that it reaches the database, and its figures. */
export function buildProbeApp({ readiness, registry }: ProbeAppOptions): FastifyInstance {
  collectDefaultMetrics({ register: registry })
  const app = Fastify({ forceCloseConnections: true })
  app.get("/healthz", livenessDoor())
  app.get("/readyz", readinessDoor(readiness))
  app.get("/metrics", metricsDoor(registry))
  app.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .send({ error: "not_found", message: "this process only works: it answers /healthz, /readyz and /metrics" }),
  )
  return app
}

import type { FastifyInstance } from "fastify"
import { collectDefaultMetrics, Histogram, type Registry } from "prom-client"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures every request by route and status, and the process. No label names a person. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to its answer, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  })
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none"
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    request.log.info(
      { method: request.method, route, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime * 10) / 10 },
      "answered",
    )
    done()
  })
}

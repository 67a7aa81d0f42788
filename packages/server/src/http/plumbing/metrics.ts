import type { FastifyInstance } from "fastify"
import { collectDefaultMetrics, Histogram, type Registry } from "prom-client"
import type { Logger } from "../../log/logger.ts"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures every request by route and status, and the process. No label names a person. */
export function measureRequests(app: FastifyInstance, registry: Registry, logger: Logger): void {
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to its response, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  })
  // These lines are frequent and contain no secrets.
  const lines = logger.child({}, { redact: [] })
  app.addHook("onResponse", (request, reply, done) => {
    const { method, id: reqId } = request
    const route = request.routeOptions.url ?? "none"
    const { statusCode: status, elapsedTime: durationMs } = reply
    duration.observe({ method, route, status }, durationMs / 1000)
    lines.info({ reqId, method, route, status, durationMs: Math.round(durationMs * 10) / 10 }, "answered")
    done()
  })
}

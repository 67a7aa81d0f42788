import type { FastifyInstance } from "fastify"
import { collectDefaultMetrics, Histogram, type Registry } from "prom-client"
import type { Logger } from "../../log/logger.ts"

export interface AnsweredRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly reqId: string
}
/** Adds a response to the metrics and to the log. */
export type MeasureAnswer = (answered: AnsweredRequest) => void

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures every request by route and status, and the process. No label names a person. */
export function measureRequests(app: FastifyInstance, registry: Registry, logger: Logger): MeasureAnswer {
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
  const measureAnswer: MeasureAnswer = ({ method, route, status, durationMs, reqId }) => {
    duration.observe({ method, route, status }, durationMs / 1000)
    lines.info({ reqId, method, route, status, durationMs: Math.round(durationMs * 10) / 10 }, "answered")
  }
  app.addHook("onResponse", (request, reply, done) => {
    const { method, id: reqId } = request
    const route = request.routeOptions.url ?? "none"
    measureAnswer({ method, route, status: reply.statusCode, durationMs: reply.elapsedTime, reqId })
    done()
  })
  return measureAnswer
}

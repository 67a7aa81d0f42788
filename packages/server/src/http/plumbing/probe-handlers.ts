import type { FastifyReply, FastifyRequest } from "fastify"
import { type MetricsServices, metricsRoute } from "./metrics-route.ts"
import type { Readiness } from "./readiness.ts"
import type { Route } from "./route.ts"

/** Paths for supervisors, load balancers and Prometheus only. */
export const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"])

export interface ProbeServices extends MetricsServices {
  readonly readiness: Readiness
}

/** Without /metrics if it has a port of its own. */
export const probeRoutes = ({ readiness, registry, config }: ProbeServices): Route[] => [
  {
    method: "GET",
    path: "/healthz",
    handle: async (_request, reply) => reply.header("cache-control", "no-store").send({ status: "ok" }),
  },
  { method: "GET", path: "/readyz", handle: readinessHandler(readiness) },
  ...(config.metricsPort === undefined ? [metricsRoute({ registry, config })] : []),
]

/** 503 while the database is down or the process is stopping. */
const readinessHandler = (readiness: Readiness) => async (_request: FastifyRequest, reply: FastifyReply) => {
  const isReady = await readiness.check()
  return reply
    .code(isReady ? 200 : 503)
    .header("cache-control", "no-store")
    .send({ status: isReady ? "ready" : "unavailable" })
}

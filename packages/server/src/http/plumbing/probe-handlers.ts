import type { FastifyReply, FastifyRequest } from "fastify"
import type { Registry } from "prom-client"
import type { Readiness } from "./readiness.ts"
import type { Route } from "./route.ts"

/** Paths for supervisors, load balancers and Prometheus only. */
export const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"])

export interface ProbeServices {
  readonly readiness: Readiness
  readonly registry: Registry
}

export const probeRoutes = ({ readiness, registry }: ProbeServices): Route[] => [
  {
    method: "GET",
    path: "/healthz",
    handle: async (_request, reply) => reply.header("cache-control", "no-store").send({ status: "ok" }),
  },
  { method: "GET", path: "/readyz", handle: readinessHandler(readiness) },
  {
    method: "GET",
    path: "/metrics",
    handle: async (_request, reply) =>
      reply.header("content-type", registry.contentType).send(await registry.metrics()),
  },
]

/** 503 while the database is down or the process is stopping. */
const readinessHandler = (readiness: Readiness) => async (_request: FastifyRequest, reply: FastifyReply) => {
  const isReady = await readiness.check()
  return reply
    .code(isReady ? 200 : 503)
    .header("cache-control", "no-store")
    .send({ status: isReady ? "ready" : "unavailable" })
}

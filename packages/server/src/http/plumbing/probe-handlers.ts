import type { FastifyReply, FastifyRequest } from "fastify"
import type { Registry } from "prom-client"
import type { Readiness } from "./readiness.ts"

/** What is asked by who looks after the process, and by nobody else. */
export const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"])

/** GET /healthz: the process lives. */
export const livenessDoor = () => async (_request: FastifyRequest, reply: FastifyReply) =>
  reply.header("cache-control", "no-store").send({ status: "ok" })

/** GET /readyz: requests would be answered; no while the database is away, or the process is stopping. */
export const readinessDoor = (readiness: Readiness) => async (_request: FastifyRequest, reply: FastifyReply) => {
  const isReady = await readiness.check()
  return reply
    .code(isReady ? 200 : 503)
    .header("cache-control", "no-store")
    .send({ status: isReady ? "ready" : "unavailable" })
}

/** GET /metrics, for Prometheus. */
export const metricsDoor = (registry: Registry) => async (_request: FastifyRequest, reply: FastifyReply) =>
  reply.header("content-type", registry.contentType).send(await registry.metrics())

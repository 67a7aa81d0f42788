import type { FastifyInstance } from "fastify"
import { PROBES } from "./probe-handlers.ts"
import type { Readiness } from "./readiness.ts"

const RETRY_AFTER_SECONDS = 1
/** No handler of ours answers 502, so a proxy may take it as proof that nothing was done, and ask another replica. */
const TO_PROXIES = 502
const TO_CLIENTS = 503

/**
 * Refuses new requests in the last moments of a drain, before anything is done or counted. A proxy that does not probe `/readyz` sends
 * `X-Turn-Away: 502` to get a status of its own: it can repeat these requests, and never one that may have been counted.
 */
export function shedLoad(app: FastifyInstance, readiness: Pick<Readiness, "isSheddingLoad">): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!readiness.isSheddingLoad || PROBES.has(request.routeOptions.url ?? "")) return done()
    reply
      .code(request.headers["x-turn-away"] === String(TO_PROXIES) ? TO_PROXIES : TO_CLIENTS)
      .headers({ "retry-after": RETRY_AFTER_SECONDS, "cache-control": "no-store" })
      .send({ error: "unavailable", message: "this process is stopping, try again" })
  })
}

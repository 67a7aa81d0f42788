import type { FastifyInstance } from "fastify"
import { PROBES } from "./probe-handlers.ts"
import type { Readiness } from "./readiness.ts"

const RETRY_AFTER_SECONDS = 1
/** No door of ours answers 502: a proxy may take it as the word of a replica that has done nothing, and ask another one. */
const TO_PROXIES = 502
const TO_PEOPLE = 503

/**
 * In the last moments of a drain requests that still come are refused before anything is done or counted. A proxy that cannot be told by
 * `/readyz` asks for a status of its own by `X-Turn-Away: 502`, so that it repeats these and never one that may have been counted.
 */
export function turnAway(app: FastifyInstance, readiness: Pick<Readiness, "isTurningAway">): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!readiness.isTurningAway || PROBES.has(request.routeOptions.url ?? "")) return
    return reply
      .code(request.headers["x-turn-away"] === String(TO_PROXIES) ? TO_PROXIES : TO_PEOPLE)
      .headers({ "retry-after": RETRY_AFTER_SECONDS, "cache-control": "no-store" })
      .send({ error: "unavailable", message: "this process is stopping, ask again" })
  })
}

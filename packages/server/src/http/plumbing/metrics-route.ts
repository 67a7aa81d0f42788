import { createHash, timingSafeEqual } from "node:crypto"
import type { Registry } from "prom-client"
import type { Config } from "../../config/config.ts"
import type { Route } from "./route.ts"

export interface MetricsServices {
  readonly config: Pick<Config, "metricsPort" | "metricsToken">
  readonly registry: Registry
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

/** GET /metrics, for Prometheus. With METRICS_TOKEN only for who sends it. RFC 6750 2.1 */
export function metricsRoute({ config: { metricsToken }, registry }: MetricsServices): Route {
  const expected = metricsToken === undefined ? undefined : digestOf(metricsToken)
  // Digests have one length, so the time of the comparison says nothing about the token.
  const mayRead = (authorization = ""): boolean =>
    expected === undefined || timingSafeEqual(digestOf(authorization.replace(/^Bearer /i, "")), expected)
  return {
    method: "GET",
    path: "/metrics",
    handle: async (request, reply) => {
      const { authorization } = request.headers
      if (mayRead(authorization)) return reply.type(registry.contentType).send(await registry.metrics())
      const message = "send the header Authorization: Bearer <METRICS_TOKEN>"
      return reply
        .code(401)
        .headers({ "www-authenticate": "Bearer", "cache-control": "no-store" })
        .send({ error: "unauthorized", message })
    },
  }
}

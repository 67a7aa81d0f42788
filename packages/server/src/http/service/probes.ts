import { createHash, timingSafeEqual } from "node:crypto"
import type { Context, Secrets } from "@restwell/core"
import type { Registry } from "prom-client"
import { z } from "zod"
import type { Config } from "../../config/config.ts"
import { answerProof, PROOF_MISSING, PROOF_WRONG, SEEN_PATH, type Seen } from "../../doctor/service-proof.ts"
import { success } from "../../openapi/responses.ts"
import type { OpenEndpoint } from "../plumbing/endpoint.ts"
import { PROBE_PATHS, type Readiness } from "../plumbing/readiness.ts"

export interface MetricsServices {
  readonly config: Pick<Config, "metricsPort" | "metricsToken">
  readonly registry: Registry
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Whether the route is on METRICS_PORT, or on the service's own port, which anybody may reach. */
type MetricsPort = "own" | "shared"

/**
 * GET /metrics, for Prometheus. With METRICS_TOKEN only for who sends it (RFC 6750 2.1). Without it only on METRICS_PORT, which is then
 * bound to this machine.
 */
export const metricsEndpoint = (port: MetricsPort): OpenEndpoint<MetricsServices> => ({
  method: "GET",
  path: PROBE_PATHS.metrics,
  access: "token",
  isLarge: true,
  handle: async ({ config: { metricsToken }, registry }, { request, reply }) => {
    const { authorization = "" } = request.headers
    if (port === "shared" && metricsToken === undefined)
      return reply.code(404).send({ error: "not_found", message: "set METRICS_TOKEN or METRICS_PORT to read metrics" })
    // Digests have one length, so the time of the comparison says nothing about the token.
    const mayRead =
      metricsToken === undefined ||
      timingSafeEqual(digestOf(authorization.replace(/^Bearer /i, "")), digestOf(metricsToken))
    if (mayRead) return async () => reply.type(registry.contentType).send(await registry.metrics())
    const message = "send the header Authorization: Bearer <METRICS_TOKEN>"
    return reply.code(401).header("www-authenticate", "Bearer").send({ error: "unauthorized", message })
  },
})

export interface ProbeServices extends MetricsServices {
  readonly readiness: Pick<Readiness, "findFault">
}

const StatusResponseSchema = z
  .object({ status: z.enum(["ok", "ready"]).meta({ example: "ready" }) })
  .meta({ id: "StatusResponse" })

const NotReadyResponseSchema = z
  .object({
    status: z.literal("unavailable"),
    reason: z.string().meta({ example: "the disk of the database is full" }),
  })
  .meta({ id: "NotReadyResponse" })

/** For supervisors and load balancers. A worker answers them too. */
export const probeEndpoints: readonly OpenEndpoint<ProbeServices>[] = [
  {
    method: "GET",
    path: PROBE_PATHS.liveness,
    access: "anybody",
    id: "readLiveness",
    summary: "Check that the process runs",
    description: "For a supervisor that restarts a process without a response.",
    tag: "Service",
    responses: { "200": success("It runs", StatusResponseSchema) },
    failures: ["methodNotAllowed"],
    handle: async () => ({ status: "ok" }),
  },
  {
    method: "GET",
    path: PROBE_PATHS.readiness,
    access: "anybody",
    id: "readReadiness",
    summary: "Check that the process is ready",
    description: "For a load balancer. 503 while the database is down, its disk is full, or the process is stopping.",
    tag: "Service",
    responses: {
      "200": success("Ready", StatusResponseSchema),
      "503": success("Not ready", NotReadyResponseSchema),
    },
    failures: ["methodNotAllowed"],
    handle: async ({ readiness }, { reply }) => {
      const reason = await readiness.findFault()
      return reply
        .code(reason === undefined ? 200 : 503)
        .send(reason === undefined ? { status: "ready" } : { status: "unavailable", reason })
    },
  },
]

export interface SeenServices {
  readonly context: Context
  readonly baseUrl: string
  /** The operator's secrets at each call. */
  readonly secrets: () => Secrets
}

/** GET /api/doctor, for `restwell doctor` alone: how a request arrives here, and the proof that this is its service. */
export const seenEndpoint: OpenEndpoint<SeenServices> = {
  method: "GET",
  path: SEEN_PATH,
  access: "token",
  handle: async ({ context, baseUrl, secrets }, { request, reply }) => {
    const { authorization } = request.headers
    const proof = answerProof(secrets(), authorization ?? "", context.clock.now())
    if (proof === undefined) {
      const challenge = authorization === undefined ? PROOF_MISSING : PROOF_WRONG
      const message = "only restwell doctor reads this, with the operator's secret"
      return reply.code(401).header("www-authenticate", challenge).send({ error: "unauthorized", message })
    }
    const forwarded = request.headers["x-forwarded-for"]
    return reply.send({
      proof,
      version: context.version,
      base_url: baseUrl,
      address: request.ip,
      peer: request.socket.remoteAddress ?? "",
      forwarded_for: Array.isArray(forwarded) ? forwarded.join(", ") : (forwarded ?? ""),
      is_peer_trusted: (request.ips?.length ?? 1) > 1,
    } satisfies Seen)
  },
}

import type { Context, Secrets } from "@restwell/core"
import { answerProof, PROOF_MISSING, PROOF_WRONG, SEEN_PATH, type Seen } from "../../doctor/service-proof.ts"
import type { OpenEndpoint } from "../plumbing/endpoint.ts"

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
  handle:
    ({ context, baseUrl, secrets }) =>
    async (request, reply) => {
      reply.header("cache-control", "no-store")
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

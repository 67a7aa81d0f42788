import { createHash } from "node:crypto"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Asset } from "../../docs/assets.ts"

/** GET of something that is the same for everybody until the next start: ready bytes, with their tag. */
export function assetDoor({ contentType, body }: Asset) {
  const bytes = Buffer.from(body)
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag, "cache-control": "public, max-age=300" })
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send()
    return reply.header("content-type", contentType).send(bytes)
  }
}

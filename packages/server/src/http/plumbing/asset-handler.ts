import { createHash } from "node:crypto"
import type { Asset } from "../../docs/describe-service.ts"
import type { Handler } from "./route.ts"

/** GET of a file that is the same for everybody until the next start. */
export function assetHandler(
  { contentType, body }: Omit<Asset, "path">,
  cacheControl = "public, max-age=300",
): Handler {
  const bytes = Buffer.from(body)
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  return async (request, reply) => {
    reply.headers({ etag, "cache-control": cacheControl })
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send()
    return reply.header("content-type", contentType).send(bytes)
  }
}

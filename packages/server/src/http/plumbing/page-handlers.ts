import { createHash } from "node:crypto"
import type { FastifyReply, FastifyRequest } from "fastify"

const SESSION_COOKIE = /(?:^|;\s*)(?:__Secure-)?restwell\.session_token=/

/** GET of a page that anybody may see: the dashboard's document, looked after at each visit, so that a new version shows at once. */
export function publicPageDoor(html: string) {
  const bytes = Buffer.from(html)
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag, "cache-control": "no-cache" })
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send()
    return reply.header("content-type", "text/html; charset=utf-8").send(bytes)
  }
}

/** GET of a page that shows a person's own: who has no session goes to sign in first, before anything is loaded, and comes back. */
export function memberPageDoor(html: string) {
  const send = publicPageDoor(html)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (SESSION_COOKIE.test(request.headers.cookie ?? "")) return send(request, reply)
    const next = request.url === "/" ? "" : `?next=${encodeURIComponent(request.url)}`
    return reply.header("cache-control", "no-store").redirect(`/sign-in${next}`, 302)
  }
}

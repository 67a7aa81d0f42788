import type { FastifyInstance } from "fastify"

/** What programs on other sites may read: answers to a key that they hold themselves. Never anything that a cookie opens. */
const OPEN_PATH = /^\/(?:api\/v1\/|openapi\.json)/
const EXPOSED = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"

/** Lets the client package run in a page of any origin, without credentials. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!OPEN_PATH.test(request.url)) return
    reply.headers({ "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED })
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return
    return reply
      .code(204)
      .headers({
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers": "Authorization, If-None-Match",
        "access-control-max-age": "86400",
      })
      .send()
  })
}

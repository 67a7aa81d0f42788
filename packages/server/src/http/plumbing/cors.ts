import type { FastifyInstance, FastifyReply } from "fastify"

const READ = "GET, HEAD"
const EXPOSED = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"

/** What pages of other sites may call: routes that need a key or token of their own. Never a route that reads a cookie. */
const OPEN: readonly { readonly path: RegExp; readonly methods: string; readonly headers: string }[] = [
  { path: /^\/(?:api\/v1\/|openapi\.json)/, methods: READ, headers: "Authorization, If-None-Match" },
  { path: /^\/(?:(?:api\/mcp\/oauth\/)?\.well-known\/|oauth\/jwks$)/, methods: READ, headers: "MCP-Protocol-Version" },
  { path: /^\/oauth\/(?:token|register|revoke)$/, methods: "POST", headers: "Authorization, Content-Type" },
]

const ALLOWED = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED }

/** Lets the client package and assistants run in pages of any origin, without cookies. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const open = OPEN.find(({ path }) => path.test(request.url))
    if (!open) return done()
    reply.headers(ALLOWED)
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return done()
    answerPreflight(reply, open.methods, open.headers)
  })
}

const answerPreflight = (reply: FastifyReply, methods: string, headers: string): FastifyReply =>
  reply
    .code(204)
    .headers({
      "access-control-allow-methods": methods,
      "access-control-allow-headers": headers,
      "access-control-max-age": "86400",
    })
    .send()

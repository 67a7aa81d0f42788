import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { READER_HEADER } from "@restwell/client"
import { Forbidden } from "@restwell/core"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { HelmetOptions } from "helmet"
import helmet from "helmet"
import type { Route } from "./endpoint.ts"

const YEAR_SECONDS = 31_536_000

/** The security headers of every response, which depend on the public address. */
export function liveSecurityHeaders(baseUrl: () => string): () => Readonly<Record<string, string>> {
  let made: { readonly address: string; readonly headers: Readonly<Record<string, string>> } | undefined
  return () => {
    const address = baseUrl()
    if (made?.address !== address) made = { address, headers: securityHeadersOf(address) }
    return made.headers
  }
}

const securityHeadersOf = (baseUrl: string): Readonly<Record<string, string>> => headersFrom(optionsFor(baseUrl))

/** They are constant, so helmet makes them once and not for each request. */
function headersFrom(options: HelmetOptions): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** Pages load only our own files, turn no text into code, and cannot be framed. */
const DIRECTIVES = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  // The page's only policy names its service worker.
  trustedTypes: ["restwell-worker"],
}

/**
 * Returns the Content-Security-Policy of the manual. Its inline scripts are known by their hashes. Vue inserts the
 * manual's own text through a policy named vue. The icons of its theme are data: URLs, which run nothing.
 */
export function manualPolicyOf(scriptHashes: readonly string[]): string {
  const directives = {
    ...DIRECTIVES,
    scriptSrc: ["'self'", ...scriptHashes],
    imgSrc: ["'self'", "data:"],
    trustedTypes: ["vue"],
  }
  return headersFrom({ contentSecurityPolicy: { useDefaults: false, directives } })["content-security-policy"] ?? ""
}

const optionsFor = (baseUrl: string): HelmetOptions => ({
  contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
  strictTransportSecurity: baseUrl.startsWith("https:") ? { maxAge: YEAR_SECONDS } : false,
  referrerPolicy: { policy: "no-referrer" },
  xFrameOptions: { action: "deny" },
  // Other sites embed nothing. They read by CORS where that is allowed.
  crossOriginResourcePolicy: { policy: "same-origin" },
})

const READ = "GET, HEAD"
const EXPOSED =
  "ETag, Preference-Applied, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"

/** What pages of other sites may call: routes that need a key or token of their own. Never a route that reads a cookie. */
const OPEN: readonly { readonly path: RegExp; readonly methods: string; readonly headers: string }[] = [
  {
    path: /^\/(?:api\/v1\/|openapi\.json)/,
    methods: READ,
    headers: `Authorization, Content-Type, If-None-Match, Prefer, ${READER_HEADER}, X-Requested-With`,
  },
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

/** Methods that change nothing may come from anywhere. */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]

/** The handler for requests that this service's own pages, or programs that are no browsers, send. @throws {Forbidden} for all others */
export const refuseForeignOrigin =
  (baseUrl: () => string, handle: Route["handle"]): Route["handle"] =>
  async (request, reply) => {
    const address = baseUrl()
    if (isForeign(request, address))
      throw new Forbidden(`another site sent this change, so it is refused: this site is ${address}`)
    return handle(request, reply)
  }

/**
 * Browsers say which site sent a request. Other programs carry nobody's cookies by accident.
 * @see OWASP Cross-Site Request Forgery Prevention: Fetch Metadata, Origin
 */
function isForeign({ method, headers }: FastifyRequest, baseUrl: string): boolean {
  if (SAFE_METHODS.includes(method)) return false
  const { origin, "sec-fetch-site": site } = headers
  return (
    (origin !== undefined && origin !== new URL(baseUrl).origin) ||
    (site !== undefined && site !== "same-origin" && site !== "none")
  )
}

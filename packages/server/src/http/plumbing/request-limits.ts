import type { IncomingMessage } from "node:http"
import { InvalidRequest } from "@restwell/core"
import type { FastifyInstance } from "fastify"
import { unstorableUrl } from "./storable-requests.ts"

const URL_BYTES = 8_192

/** Refuses requests that are invalid for any route, before anything else reads them. */
export function limitRequests(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, reply, done) => {
    if ((raw.url?.length ?? 0) > URL_BYTES)
      reply
        .code(414)
        .header("cache-control", "no-store")
        .send({ error: "uri_too_long", message: `a URL has at most ${URL_BYTES} bytes` })
    else done(faultOf(raw))
  })
}

function faultOf(raw: IncomingMessage): InvalidRequest | undefined {
  if (!hasValidHost(raw)) return new InvalidRequest("an HTTP/1.1 request must have one Host header", "host")
  return unstorableUrl(raw.url ?? "")
}

/** RFC 9112 3.2: exactly one. Before HTTP/1.1 none is needed. */
function hasValidHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length
  return count === 1 || (count === 0 && httpVersion !== "1.1")
}

import type { IncomingMessage } from "node:http"
import { InvalidRequest } from "@restwell/core"
import type { FastifyInstance } from "fastify"

const URL_BYTES = 8_192

/** Refuses, before anything else looks at them, requests that are no good whatever they are for. */
export function limitRequests(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, reply, done) => {
    if ((raw.url?.length ?? 0) > URL_BYTES)
      reply
        .code(414)
        .header("cache-control", "no-store")
        .send({ error: "uri_too_long", message: `an address has at most ${URL_BYTES} bytes` })
    else if (hasItsHost(raw)) done()
    else done(new InvalidRequest("an HTTP/1.1 request has one Host header", "host"))
  })
}

/** RFC 9112 3.2: one, and before HTTP/1.1 none was needed. */
function hasItsHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length
  return count === 1 || (count === 0 && httpVersion !== "1.1")
}

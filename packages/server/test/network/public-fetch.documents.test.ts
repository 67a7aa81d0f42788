import type { RequestListener, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { DOCUMENT, expectRefusal, expectUntouched, json, open, startCanary, urlOf } from "./fetching.ts"

test.each([300, 301, 302, 303, 304, 307, 308])("does not follow a redirect with status %i", async (status) => {
  await using canary = await startCanary(json(DOCUMENT))
  await using host = await startCanary((_request, reply) =>
    reply.writeHead(status, { location: urlOf(canary), "content-type": "application/json" }).end(),
  )
  await expectRefusal(open()(urlOf(host), { redirect: "follow" }), "the host redirects")
  await expectUntouched(canary)
})

const TOO_LARGE = "the document is larger than 5120 bytes"
const NOT_JSON = "the document is not JSON by its type"
const start = (reply: ServerResponse, headers: Record<string, string> = {}): ServerResponse =>
  reply.writeHead(200, { "content-type": "application/json", ...headers })

test.each<[string, RequestListener, string]>([
  ["of 6 KB", json("x".repeat(6 * 1024)), TOO_LARGE],
  ["one byte too long", json("x".repeat(5 * 1024 + 1)), TOO_LARGE],
  ["said to be 6 KB, and not sent", (_, reply) => start(reply, { "content-length": "6144" }).flushHeaders(), TOO_LARGE],
  ["without end", (_, reply) => Readable.from(endless()).pipe(start(reply)), TOO_LARGE],
  [
    "cut short",
    (_, reply) => start(reply, { "content-length": "99" }).write("{}", () => reply.destroy()),
    "no usable answer",
  ],
  ["that is gzip", json(gzipSync(DOCUMENT), { "content-encoding": "gzip" }), "the document is compressed"],
  ["encoded twice", json(DOCUMENT, { "content-encoding": "identity, br" }), "the document is compressed"],
  ["of HTML", json(DOCUMENT, { "content-type": "text/html" }), NOT_JSON],
  ["of JSON as text", json(DOCUMENT, { "content-type": "text/json" }), NOT_JSON],
  ["of many JSON texts", json(DOCUMENT, { "content-type": "application/json-seq" }), NOT_JSON],
  ["of two types", json(DOCUMENT, { "content-type": "text/html, application/json" }), NOT_JSON],
  ["of no type", (_, reply) => reply.writeHead(200).end(DOCUMENT), NOT_JSON],
])("refuses a document %s", async (_case, answer, message) => {
  await using canary = await startCanary(answer)
  await expectRefusal(open()(urlOf(canary)), message)
  expect(canary.connections()).toBe(1)
})

test("closes the connection of a refused response", async () => {
  const closed = Promise.withResolvers<void>()
  await using host = await startCanary((_request, reply) => {
    reply.once("close", closed.resolve)
    reply.writeHead(500).flushHeaders()
  })
  await expectRefusal(open({ timeoutMs: 120_000 })(urlOf(host)), "the host answered with status 500")
  await closed.promise
})

function* endless(): Generator<string> {
  while (true) yield "x".repeat(1024)
}

test.each([201, 204, 206, 401, 404, 429, 500, 503])("refuses a response with status %i", async (status) => {
  await using canary = await startCanary((_request, reply) =>
    reply.writeHead(status, { "content-type": "application/json" }).end(status === 204 ? undefined : DOCUMENT),
  )
  await expectRefusal(open()(urlOf(canary)), `the host answered with status ${status}`)
})

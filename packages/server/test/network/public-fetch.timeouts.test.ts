import type { RequestListener, ServerResponse } from "node:http"
import { createServer } from "node:net"
import { describe, expect, test } from "vitest"
import type { ResolvedAddress } from "../../src/network/resolve-host.ts"
import {
  DOCUMENT,
  expectRefusal,
  expectUntouched,
  json,
  LOOPBACK,
  open,
  resolverOf,
  startCanary,
  urlOf,
} from "./fetching.ts"

const start = (reply: ServerResponse, headers: Record<string, string> = {}): ServerResponse =>
  reply.writeHead(200, { "content-type": "application/json", ...headers })

describe("gives up in time", () => {
  const LATE = "no whole answer in time"

  test("on a resolver, and ignores its late answer", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const answer = Promise.withResolvers<ResolvedAddress[]>()
    await expectRefusal(open({ lookup: () => answer.promise, timeoutMs: 50 })(urlOf(canary)), LATE)
    answer.resolve([LOOPBACK])
    await expectUntouched(canary)
  })

  test("on a host that accepts the connection and is silent", async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const address = silent.address()
    const port = address === null || typeof address === "string" ? 0 : address.port
    await expectRefusal(open({ timeoutMs: 100 })(`https://client.example:${port}/`), LATE)
    silent.close()
  })

  test.each<[string, RequestListener]>([
    ["takes the request and is silent", () => {}],
    ["sends the head alone", (_, reply) => start(reply).flushHeaders()],
    ["sends a byte now and then", (_, reply) => dribble(start(reply))],
  ])("on a host that %s, and closes the connection", async (_case, answer) => {
    const closed = Promise.withResolvers<void>()
    await using canary = await startCanary((message, reply) => {
      reply.once("close", closed.resolve)
      answer(message, reply)
    })
    await expectRefusal(open({ timeoutMs: 500 })(urlOf(canary)), LATE)
    expect(canary.requests.length).toBe(1)
    await closed.promise
  })

  test("when the caller's signal aborts", async () => {
    const caller = new AbortController()
    await using canary = await startCanary(() => caller.abort())
    const resolver = resolverOf([LOOPBACK])
    const fetchPublic = open({ lookup: resolver.lookup })
    await expectRefusal(fetchPublic(urlOf(canary), { signal: caller.signal }), LATE)
    await expectRefusal(fetchPublic(urlOf(canary), { signal: caller.signal }), LATE)
    await expectRefusal(fetchPublic(new Request(urlOf(canary), { signal: caller.signal })), LATE)
    expect(resolver.lookups).toEqual(["client.example"])
    expect(canary.connections()).toBe(1)
  })
})

function dribble(reply: ServerResponse): void {
  const timer = setInterval(() => reply.write(" "), 10)
  reply.once("close", () => clearInterval(timer))
}

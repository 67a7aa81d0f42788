import Fastify from "fastify"
import { expect, test } from "vitest"
import { isOnThisMachine } from "./first-visitor.ts"

const LOCAL = { host: "localhost:3000" }

interface Visit {
  readonly remoteAddress?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function isLocal({ remoteAddress = "127.0.0.1", headers = {} }: Visit) {
  const app = Fastify({ trustProxy: true })
  app.get("/", async (request) => isOnThisMachine(request))
  const answer = await app.inject({ url: "/", remoteAddress, headers: { ...LOCAL, ...headers } })
  return answer.json<boolean>()
}

test.each<[string, Visit]>([
  ["IPv4", {}],
  ["IPv6", { remoteAddress: "::1", headers: { host: "[::1]:3000" } }],
  ["IPv4 on a socket for both", { remoteAddress: "::ffff:127.0.0.1", headers: { host: "127.0.0.1:3000" } }],
])("a visitor by the loopback address is on this machine: %s", async (_, visit) => {
  expect(await isLocal(visit)).toBe(true)
})

test.each<[string, Visit]>([
  ["the gateway of Docker's bridge", { remoteAddress: "172.17.0.1" }],
  ["the gateway of rootless containers", { remoteAddress: "10.0.2.2" }],
  ["the home network", { remoteAddress: "192.168.1.20" }],
  ["a unique local address", { remoteAddress: "fd00::7" }],
  ["a public address", { remoteAddress: "203.0.113.7" }],
  ["a private address in IPv6", { remoteAddress: "::ffff:172.17.0.1" }],
  ["a proxy that names a loopback visitor", { headers: { "x-forwarded-for": "127.0.0.1" } }],
  ["a proxy with the standard's header", { headers: { forwarded: "for=127.0.0.1" } }],
  ["a tunnel", { headers: { "cf-connecting-ip": "127.0.0.1" } }],
  ["a proxy that names only the host", { headers: { "x-forwarded-host": "localhost" } }],
  ["a proxy that only says Via", { headers: { via: "1.1 proxy" } }],
  ["a proxy that passes a public name", { headers: { host: "restwell.example.com" } }],
  ["a proxy that passes a public address", { headers: { host: "203.0.113.7:3000" } }],
  ["another site's name for this machine", { headers: { host: "localhost.evil.example" } }],
  ["another site's name that looks like an address", { headers: { host: "127.0.0.1.evil.example" } }],
])("a visitor that something may hide is not on this machine: %s", async (_, visit) => {
  expect(await isLocal(visit)).toBe(false)
})

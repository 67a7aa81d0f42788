import { connect } from "node:net"
import { networkInterfaces } from "node:os"
import { text } from "node:stream/consumers"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1, environment: { HOST: "0.0.0.0", TRUST_PROXY: "1" } })
})
afterAll(() => service.close())

interface Visit {
  /** @default 127.0.0.1 */
  readonly address?: string
  readonly headers: Readonly<Record<string, string>>
  /** Of HTTP. @default 1.1 */
  readonly version?: string
}

/** Sends the request byte by byte, because programs choose Host and the version of HTTP. Returns the response as text. */
async function readSetupAs(url: string, { address = "127.0.0.1", headers, version = "1.1" }: Visit): Promise<string> {
  const socket = connect(Number(new URL(url).port), address)
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET /api/setup HTTP/${version}\r\n${lines.join("")}\r\n`)
  return text(socket)
}

/** An address at which other machines reach this one. */
const addressOfThisMachine = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address

const LOCAL = { host: "localhost" }
test.each([
  ["a visitor through a trusted proxy", { headers: { ...LOCAL, "x-forwarded-for": "127.0.0.1" } }],
  ["a visitor through a proxy that names itself only", { headers: { ...LOCAL, via: "1.1 proxy" } }],
  ["a visitor through nginx without settings", { headers: LOCAL, version: "1.0" }],
  ["a visitor by the machine's address in its network", { headers: { host: "192.168.1.20:3000" } }],
  ["a page whose name was pointed to this machine", { headers: { host: "evil.example" } }],
])("%s needs the code", async (_, visit) => {
  const answer = await readSetupAs(service.url, visit)
  expect(answer).toContain('{"needs_code":true}')
})

test.each(["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000"])(
  "a visitor on this machine by the name %s needs none",
  async (host) => {
    expect(await readSetupAs(service.url, { headers: { host } })).toContain('{"needs_code":false}')
  },
)

test("a visitor through the network of a container or a home needs the code", async ({ skip }) => {
  const address = addressOfThisMachine()
  if (address === undefined) return skip("this machine has no network")
  expect(await readSetupAs(service.url, { address, headers: LOCAL })).toContain('{"needs_code":true}')
})

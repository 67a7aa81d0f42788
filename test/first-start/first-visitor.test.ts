import { createServer, request as httpRequest } from "node:http"
import { connect, createServer as createTcpServer } from "node:net"
import { text } from "node:stream/consumers"
import { setupCodeOf } from "@restwell/server/links"
import { startTestService, TEST_SECRET, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const OWNER = { name: "Eve", email: "eve@example.com", password: "correct horse battery staple" }

let service: TestService
let forwards: { readonly proxy: number; readonly tcp: number }
const started = new AsyncDisposableStack()
beforeAll(async () => {
  service = await startTestService({ days: 1, environment: { SIGN_UP: "" } })
  started.defer(() => service.close())
  forwards = { proxy: await startProxy(), tcp: await startTcpForward() }
})
afterAll(() => started.disposeAsync())

const port = (): number => Number(new URL(service.url).port)

/** On this machine, over HTTP/1.1, with a name of this machine, and without a header that says so, as nginx 1.29.7 does. */
async function startProxy(): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const options = { host: "127.0.0.1", port: port(), method, path, headers: { ...headers, host: "127.0.0.1" } }
    incoming.pipe(
      httpRequest(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }),
    )
  })
  const { promise: listens, resolve } = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", resolve)
  await listens
  started.defer(() => void server.close())
  return portOf(server.address())
}

/** As `ssh -L`, socat and a container's port do. */
async function startTcpForward(): Promise<number> {
  const server = createTcpServer((socket) => {
    const forward = connect(port(), "127.0.0.1")
    socket.pipe(forward).pipe(socket)
    for (const end of [socket, forward]) end.on("error", () => end.destroy())
  })
  const { promise: listens, resolve } = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", resolve)
  await listens
  started.defer(() => void server.close())
  return portOf(server.address())
}

function portOf(address: string | null | { readonly port: number }): number {
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port")
  return address.port
}

interface Visit {
  readonly through: () => number
  readonly headers: Readonly<Record<string, string>>
  /** Of HTTP. @default 1.1 */
  readonly version?: string
}

/** Sends the request byte by byte, because programs choose Host and the version of HTTP. Returns the status. */
async function post(path: string, body: object, { through, headers, version = "1.1" }: Visit): Promise<number> {
  const socket = connect(through(), "127.0.0.1")
  const json = JSON.stringify(body)
  const all = { ...headers, "content-type": "application/json", "content-length": json.length, connection: "close" }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/${version}\r\n${lines.join("")}\r\n${json}`)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1])
}

test.each<[string, Visit]>([
  ["on this machine", { through: port, headers: { host: "localhost" } }],
  ["behind a proxy that adds no header", { through: () => forwards.proxy, headers: { host: "restwell.example" } }],
  ["behind a plain TCP forward", { through: () => forwards.tcp, headers: { host: "localhost" } }],
  ["with a user name in Host", { through: port, headers: { host: "evil.example@localhost" } }],
  ["behind nginx without settings", { through: port, headers: { host: "localhost" }, version: "1.0" }],
  ["behind a proxy that names a local visitor", { through: port, headers: { host: "a", "x-forwarded-for": "::1" } }],
])("a visitor without the code becomes neither owner nor member: %s", async (_, visit) => {
  expect(await post("/api/setup/owner", OWNER, visit)).toBe(400)
  expect(await post("/api/setup/owner", { ...OWNER, code: "0000-0000-0000" }, visit)).toBe(403)
  expect(await post("/api/auth/sign-up/email", OWNER, visit)).toBe(403)
  const { rows } = await service.store.pool.query('select email from restwell."user"')
  expect(rows).toEqual([])
})

test("wrong codes of a network never lock out the right code of the same network", async () => {
  const visit: Visit = { through: port, headers: { host: "localhost" } }
  const guesses = Array.from({ length: 130 }, (_, index) => ({ ...OWNER, code: `0000-0000-${1000 + index}` }))
  const statuses = await Promise.all(guesses.map((guess) => post("/api/setup/owner", guess, visit)))
  expect(new Set(statuses)).toEqual(new Set([403, 429]))
  expect(await post("/api/setup/owner", { ...OWNER, code: setupCodeOf(TEST_SECRET) }, visit)).toBe(201)
})

import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { findNginx, type Nginx, startNginx } from "@restwell/testing/nginx"
import { reservePort } from "@restwell/testing/port"
import { afterAll, afterEach, beforeEach, expect, test } from "vitest"

const program = await findNginx()
const REQUESTS = 6

interface Replica {
  readonly port: number
  /** Method and request id of each request. */
  readonly requests: string[]
  answer: RequestListener
}

let one: Replica
let other: Replica
let nginx: Nginx
const servers: Server[] = []

async function openReplica(): Promise<Replica> {
  const server = createServer((request, response) => {
    if (request.url === "/data") {
      replica.requests.push(`${request.method} ${request.headers["x-request-id"]}`)
      replica.answer(request, response)
    } else response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("the replica has no port")
  const replica: Replica = {
    port: address.port,
    requests: [],
    answer: (_request, response) => void response.end("data"),
  }
  servers.push(server)
  return replica
}

const reserved = new DisposableStack()
/** A port on which nothing listens, until a program of the test does. */
const unusedPort = (): number => reserved.use(reservePort()).port
afterAll(() => reserved.dispose())

beforeEach(async () => {
  if (program === undefined) return
  one = await openReplica()
  other = await openReplica()
})
afterEach(async () => {
  if (program === undefined) return
  await nginx.stop()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Sends requests one after the other. Returns their statuses. */
async function send(method: string): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < REQUESTS; number += 1) {
    const body = method === "POST" ? { body: "{}" } : {}
    const answer = await fetch(`${nginx.url}/data`, { method, headers: { "x-request-id": `r${number}` }, ...body })
    statuses.push(answer.status)
    if (answer.status !== 200) expect(await answer.json()).toMatchObject({ error: "unavailable" })
  }
  return statuses
}

const eachOnce = (method: string) => Array.from({ length: REQUESTS }, (_, number) => `${method} r${number}`)
const without = program === undefined ? " (skipped: there is no nginx on the PATH, nor in NGINX)" : ""

test.skipIf(program === undefined).each(["GET", "POST"])(
  `a %s that a stopping replica refuses is answered by another one${without}`,
  async (method) => {
    one.answer = (request, response) => void response.writeHead(Number(request.headers["x-turn-away"])).end()
    nginx = await startNginx(program ?? "", unusedPort(), [one.port, other.port])
    expect(await send(method)).toEqual(Array(REQUESTS).fill(200))
    expect(other.requests).toEqual(eachOnce(method))
    // nginx sends it nothing more after the first refusal.
    expect(one.requests).toHaveLength(1)
  },
)

test.skipIf(program === undefined).each(["GET", "POST"])(
  `a %s that may have taken effect is not repeated: the client gets 503${without}`,
  async (method) => {
    one.answer = (request) => void request.socket.destroy()
    nginx = await startNginx(program ?? "", unusedPort(), [one.port, other.port])
    expect((await send(method)).toSorted()).toEqual([...Array(REQUESTS - 1).fill(200), 503])
    expect([...one.requests, ...other.requests].toSorted()).toEqual(eachOnce(method))
  },
)

test.skipIf(program === undefined).each(["GET", "POST"])(
  `a %s for a stopped replica is answered by another one${without}`,
  async (method) => {
    nginx = await startNginx(program ?? "", unusedPort(), [unusedPort(), other.port])
    expect(await send(method)).toEqual(Array(REQUESTS).fill(200))
    expect(other.requests).toEqual(eachOnce(method))
  },
)

test.skipIf(program === undefined)(`the client gets 503 when no replica runs${without}`, async () => {
  nginx = await startNginx(program ?? "", unusedPort(), [unusedPort(), unusedPort()])
  expect(await send("GET")).toEqual(Array(REQUESTS).fill(503))
})

import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { findNginx, type Nginx, startNginx } from "@restwell/testing/nginx"
import { afterEach, beforeEach, expect, test } from "vitest"
import { freePort } from "../../packages/server/src/demo/free-port.ts"

const program = await findNginx()
const REQUESTS = 6

/** What a replica was sent, as `GET /path`. */
interface Replica {
  readonly port: number
  readonly asked: string[]
  answer: RequestListener
}

let one: Replica
let other: Replica
let nginx: Nginx
const servers: Server[] = []

async function openReplica(): Promise<Replica> {
  const replica: Replica = {
    port: await freePort(0),
    asked: [],
    answer: (_request, response) => void response.end("data"),
  }
  const server = createServer((request, response) => {
    if (request.url === "/data") {
      replica.asked.push(`${request.method} ${request.headers["x-request-id"]}`)
      replica.answer(request, response)
    } else response.end()
  }).listen(replica.port, "127.0.0.1")
  await once(server, "listening")
  servers.push(server)
  return replica
}

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

/** The statuses of requests that are sent one after the other. */
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

const everyOnce = (method: string) => Array.from({ length: REQUESTS }, (_, number) => `${method} r${number}`)
const without = program === undefined ? " (skipped: there is no nginx on the PATH, nor in NGINX)" : ""

test.skipIf(program === undefined).each(["GET", "POST"])(
  `a %s that a stopping replica has turned away is answered by another one${without}`,
  async (method) => {
    one.answer = (request, response) => void response.writeHead(Number(request.headers["x-turn-away"])).end()
    nginx = await startNginx(program ?? "", await freePort(0), [one.port, other.port])
    expect(await send(method)).toEqual(Array(REQUESTS).fill(200))
    expect(other.asked).toEqual(everyOnce(method))
    // It has been left alone after the first.
    expect(one.asked).toHaveLength(1)
  },
)

test.skipIf(program === undefined).each(["GET", "POST"])(
  `a %s that may have been done is never sent again: the client is told${without}`,
  async (method) => {
    one.answer = (request) => void request.socket.destroy()
    nginx = await startNginx(program ?? "", await freePort(0), [one.port, other.port])
    expect((await send(method)).toSorted()).toEqual([...Array(REQUESTS - 1).fill(200), 503])
    expect([...one.asked, ...other.asked].toSorted()).toEqual(everyOnce(method))
  },
)

test.skipIf(program === undefined).each(["GET", "POST"])(
  `a %s for a replica that is gone is answered by another one${without}`,
  async (method) => {
    nginx = await startNginx(program ?? "", await freePort(0), [await freePort(0), other.port])
    expect(await send(method)).toEqual(Array(REQUESTS).fill(200))
    expect(other.asked).toEqual(everyOnce(method))
  },
)

test.skipIf(program === undefined)(`the client is told when no replica is there${without}`, async () => {
  nginx = await startNginx(program ?? "", await freePort(0), [await freePort(0), await freePort(0)])
  expect(await send("GET")).toEqual(Array(REQUESTS).fill(503))
})

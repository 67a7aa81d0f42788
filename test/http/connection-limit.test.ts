import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const MOST = 10

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1, environment: { MAX_CONNECTIONS: String(MOST) } })
})
afterAll(() => service.close())

const REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1")
  // A refused connection may be reset.
  socket.on("error", () => {})
  await once(socket, "connect")
  return socket
}

async function answerOn(socket: Socket): Promise<string> {
  const answered = Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])])
  socket.write(REQUEST)
  return String((await answered)[0])
}

test("a connection above MAX_CONNECTIONS is closed, those below it work, and a closed one makes room", async () => {
  const sockets: Socket[] = []
  for (let count = 0; count < MOST; count += 1) sockets.push(await open())
  for (const socket of sockets) expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 200/)
  for (let count = 0; count < 20; count += 1) expect(await answerOn(await open())).toBe("")
  expect(service.log.filter((line) => line.includes("MAX_CONNECTIONS"))).toHaveLength(1)
  sockets[0]?.destroy()
  await expect.poll(async () => answerOn(await open())).toMatch(/^HTTP\/1\.1 200/)
  for (const socket of sockets) socket.destroy()
})

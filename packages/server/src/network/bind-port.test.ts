import Fastify from "fastify"
import { expect, test } from "vitest"
import { bindPort, onSocket } from "./bind-port.ts"

test("refuses connections until the service listens, and a port on which a program listens", async () => {
  using socket = await bindPort("127.0.0.1", 0)
  const { port } = socket.address()
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  const app = Fastify()
  app.get("/", async () => "ready")
  expect(await app.listen(onSocket(socket))).toBe(`http://127.0.0.1:${port}`)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ready")
  await expect(bindPort("127.0.0.1", port)).rejects.toMatchObject({ code: "EADDRINUSE" })
  await app.close()
})

test("gives every program a port of its own before anybody listens", async () => {
  const sockets = await Promise.all(Array.from({ length: 200 }, () => bindPort("127.0.0.1", 0)))
  expect(new Set(sockets.map((socket) => socket.address().port)).size).toBe(sockets.length)
  for (const socket of sockets) socket.close()
})

test("takes a host by its name", async () => {
  using socket = await bindPort("localhost", 0)
  expect(["127.0.0.1", "::1"]).toContain(socket.address().address)
})

import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { arrivingPieces } from "./arriving-body.ts"

test("the silence of a client is limited while its body arrives, and not while the service works", async () => {
  const limits: (number | undefined)[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const pieces = arrivingPieces(request, request.iterator({ destroyOnReturn: false }))
    for (let next = pieces.next(); ; next = pieces.next()) {
      limits.push(request.socket.timeout)
      begin()
      const { done } = await next
      limits.push(request.socket.timeout)
      if (done) break
    }
    response.end("taken")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  const client = connect(address.port, "127.0.0.1")
  client.write("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n")
  await begun
  client.write("ab")
  expect(await text(client)).toContain("taken")
  expect(limits).toEqual([30_000, 0, 30_000, 0])
  server.close()
})

import { once } from "node:events"
import type { Server } from "node:http"

/** Listens on a free port of 127.0.0.1. `close` also ends open connections, because a listening client never leaves. */
export async function listenOnLoopback(server: Server): Promise<{ origin: string; close: () => Promise<void> }> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

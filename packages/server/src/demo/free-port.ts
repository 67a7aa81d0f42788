import { once } from "node:events"
import { createServer } from "node:net"

/** The port that was wished for, or any free one when it is taken. */
export async function freePort(wished: number): Promise<number> {
  return (await tryPort(wished)) ?? (await tryPort(0)) ?? wished
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    return typeof address === "object" && address ? address.port : undefined
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined
    throw error
  } finally {
    server.close()
  }
}

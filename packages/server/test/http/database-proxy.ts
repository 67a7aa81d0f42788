import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PoolConfig } from "pg"

/** A way to a database that can be cut and mended, as when its machine restarts. */
export interface DatabaseProxy {
  readonly url: string
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

/** Listens in a folder of its own, as PostgreSQL does, and hands every byte on. */
export async function startDatabaseProxy({
  host = "",
  port = 5432,
  user,
  database,
}: PoolConfig): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), "restwell-proxy-"))
  const name = `.s.PGSQL.${port}`
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const pass = (client: Socket): void => {
    const upstream = host.startsWith("/") ? connect(join(host, name)) : connect(Number(port), host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client.pipe(upstream).pipe(client)
  }
  const mend = async (): Promise<void> => {
    server = createServer(pass).listen(join(folder, name))
    await once(server, "listening")
  }
  const cut = async (): Promise<void> => {
    const closed = server && once(server, "close")
    server?.close()
    for (const socket of sockets) socket.destroy()
    await closed
    server = undefined
  }
  await mend()
  return {
    url: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`,
    cut,
    mend,
    async close() {
      await cut()
      await rm(folder, { recursive: true })
    },
  }
}

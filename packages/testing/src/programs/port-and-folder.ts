import { chmod, mkdtemp } from "node:fs/promises"
import { BoundSocket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A port of 127.0.0.1 that the system gives to no other program. */
export interface ReservedPort extends Disposable {
  readonly port: number
}

/**
 * Reserves a free port for a program that cannot bind port 0 itself, or that starts again on the same port. Until the program listens,
 * connections are refused. Only Linux lets another program listen on a bound port: elsewhere the port is free again at once.
 */
export function reservePort(): ReservedPort {
  const socket = new BoundSocket({ host: "127.0.0.1", port: 0 })
  const { port } = socket.address()
  if (process.platform !== "linux") socket.close()
  return { port, [Symbol.dispose]: () => socket.close() }
}

/** Makes a temporary folder for a DATA_DIR. For root, PostgreSQL runs as another user, who must be able to enter it. */
export async function makeFolder(name: string, within = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(within, `restwell-${name}-`))
  await chmod(folder, 0o755)
  return folder
}

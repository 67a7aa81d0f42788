import { lookup } from "node:dns/promises"
import { BoundSocket } from "node:net"
import { OperatorError } from "@restwell/core"
import type { FastifyInstance } from "fastify"

/** Restwell cannot listen on HOST and PORT. */
class CannotListen extends OperatorError {
  override readonly name = "CannotListen"
  readonly code: string

  constructor(fault: string, remedy: string, { code, cause }: { readonly code: string; readonly cause: unknown }) {
    super(fault, remedy, { cause })
    this.code = code
  }
}

/** What to do about the reason that an address cannot be listened on. @param setting the one that has the port */
const adviceFor = (setting: string): Readonly<Record<string, readonly [reason: string, remedy: string]>> => ({
  EADDRINUSE: [`another program uses the port`, `set ${setting} to another one`],
  EADDRNOTAVAIL: ["HOST is not an address of this machine", "set it to 127.0.0.1, 0.0.0.0 or one of its addresses"],
  ENOTFOUND: ["HOST is not a known name", "set it to 127.0.0.1, 0.0.0.0 or an address of this machine"],
  EAI_AGAIN: [
    "HOST is a name that cannot be looked up now",
    "set it to 127.0.0.1, 0.0.0.0 or an address of this machine",
  ],
  EACCES: [`this user may not use the port`, `set ${setting} to 1024 or higher`],
  EAFNOSUPPORT: ["this machine has no addresses of HOST's kind", "set it to 127.0.0.1 or 0.0.0.0"],
  EINVAL: ["HOST cannot be listened on", "set it to 127.0.0.1, 0.0.0.0 or an address of this machine"],
})

/** The error of listening, in words for the operator. Returns other errors as they are. */
function cannotListen(host: string, port: number, cause: unknown, setting = "PORT"): unknown {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const advice = adviceFor(setting)[code]
  if (advice === undefined) return cause
  const [reason, remedy] = advice
  return new CannotListen(`cannot listen on ${host} port ${port}: ${reason}`, remedy, { code, cause })
}

/**
 * Binds a port without listening: its number is known, and connections to it are still refused. A port that the system chose (0) is given
 * to no other program meanwhile; a port that was asked for can still be lost to one that binds and listens first.
 * @throws {CannotListen} with code EADDRINUSE when another program listens on the port, and other codes
 */
export async function bindPort(host: string, port: number): Promise<BoundSocket> {
  try {
    const { address } = await lookup(host)
    return new BoundSocket({ host: address, port })
  } catch (error) {
    throw cannotListen(host, port, error)
  }
}

/**
 * Binds a free port, if any will do. Of a given one it only checks that it could be listened on, and returns nothing.
 * @throws {CannotListen} before anything else was done
 */
export async function claimPort(host: string, port: number): Promise<BoundSocket | undefined> {
  const socket = await bindPort(host, port)
  if (port === 0) return socket
  socket.close()
  return undefined
}

/** Arguments of Fastify's `listen` for a bound port. A numeric host, or Fastify would bind the other addresses of `localhost` too. */
export const onSocket = (socket: BoundSocket): { handle: BoundSocket; host: string } => ({
  handle: socket,
  host: socket.address().address,
})

/**
 * Listens on one address of the host: of `localhost`, Fastify would open a second server, which has none of the first one's limits.
 * @throws {CannotListen}
 */
export async function listen(
  app: FastifyInstance,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<string> {
  try {
    const { address } = await lookup(host)
    return await app.listen({ host: address, port })
  } catch (error) {
    throw cannotListen(host, port, error, setting)
  }
}

import { lookup } from "node:dns/promises"
import { BoundSocket } from "node:net"

/**
 * Binds a port without listening: its number is known, and connections to it are still refused. A port that the system chose (0) is given
 * to no other program meanwhile; a port that was asked for can still be lost to one that binds and listens first.
 * @throws with code EADDRINUSE when another program listens on the port
 */
export async function bindPort(host: string, port: number): Promise<BoundSocket> {
  const { address } = await lookup(host)
  return new BoundSocket({ host: address, port })
}

/** Arguments of Fastify's `listen` for a bound port. A numeric host, or Fastify would bind the other addresses of `localhost` too. */
export const onSocket = (socket: BoundSocket): { handle: BoundSocket; host: string } => ({
  handle: socket,
  host: socket.address().address,
})

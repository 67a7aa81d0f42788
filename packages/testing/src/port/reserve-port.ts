import { BoundSocket } from "node:net"

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

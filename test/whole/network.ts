import { once } from "node:events"
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net"

/**
 * What happens to bytes that are sent. `drop` loses every packet: connections are neither refused nor answered. `expel` is for PostgreSQL: a
 * session ends with the packet that begins it, as when the server is killed at this moment.
 */
export type NetworkState = "open" | "refuse" | "reset" | "drop" | "expel"

/** ReadyForQuery, and ErrorResponse. @see https://www.postgresql.org/docs/18/protocol-message-formats.html */
const READY = Buffer.from("Z\0\0\0\u0005I")
const FIELDS = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0")
const EXPELLED = Buffer.concat([Buffer.from("E\0\0\0"), Buffer.of(FIELDS.length + 4), FIELDS])

/** A TCP proxy between two parts of a system, in which a test causes faults. */
export interface Network {
  readonly port: number
  /** A change ends all open connections. Those that met a dropping network stay silent for good. */
  set(state: NetworkState): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy on any free port, which passes every byte on. */
export async function startNetwork(target: NetConnectOpts): Promise<Network> {
  let state: NetworkState = "open"
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>()
  const silent = new Set<Socket>()
  const server = createServer((client) => {
    client.on("error", () => {})
    if (state === "reset") client.resetAndDestroy()
    else if (state === "drop") silence(client)
    else pass(client)
  })
  const silence = (client: Socket): void => {
    silent.add(client)
    client.on("close", () => silent.delete(client)).resume()
  }
  const pass = (client: Socket): void => {
    const upstream = connect(target)
    const pair = { client, upstream }
    pairs.add(pair)
    const end = (): void => {
      if (!pairs.delete(pair)) return
      client.destroy()
      upstream.destroy()
    }
    upstream.on("error", end).on("close", end)
    client.on("close", end)
    client.pipe(upstream)
    if (state !== "expel") return void upstream.pipe(client)
    upstream.on("data", (bytes: Buffer) => {
      if (!bytes.subarray(-READY.length).equals(READY)) return client.write(bytes)
      client.unpipe(upstream)
      return client.end(Buffer.concat([bytes, EXPELLED]))
    })
  }
  /** Detaches all connections from the target. */
  const take = (): Socket[] =>
    [...pairs].map((pair) => {
      pairs.delete(pair)
      pair.client.unpipe(pair.upstream)
      pair.upstream.unpipe(pair.client)
      pair.upstream.destroy()
      return pair.client
    })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
  }
  await listen(0)
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("the network listens nowhere")
  return {
    port: address.port,
    async set(next) {
      if (next === "drop") for (const client of take()) silence(client)
      else if (next !== "open") for (const client of [...take(), ...silent]) client.resetAndDestroy()
      if (next === "refuse") server.close()
      else if (!server.listening) await listen(address.port)
      state = next
    },
    async close() {
      for (const client of [...take(), ...silent]) client.destroy()
      server.close()
    },
  }
}

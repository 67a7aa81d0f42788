import { once } from "node:events"
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net"

/** What becomes of whatever is sent. `swallow` is a network that drops every packet: nothing is refused, and nothing comes. */
export type Weather = "fair" | "refuse" | "reset" | "swallow"

/** A way between two parts of a system, on which a test makes the weather. */
export interface Network {
  readonly port: number
  /** Connections there are end with the fair weather; those that a swallowing network has met stay silent for good. */
  turn(weather: Weather): Promise<void>
  close(): Promise<void>
}

/** Listens on a port of its own and hands every byte on. */
export async function startNetwork(target: NetConnectOpts): Promise<Network> {
  let weather: Weather = "fair"
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>()
  const silent = new Set<Socket>()
  const server = createServer((client) => {
    client.on("error", () => {})
    if (weather === "reset") client.resetAndDestroy()
    else if (weather === "swallow") silence(client)
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
    client.pipe(upstream).pipe(client)
  }
  /** Takes every connection out of service. */
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
    async turn(next) {
      if (next === "swallow") for (const client of take()) silence(client)
      else if (next !== "fair") for (const client of [...take(), ...silent]) client.resetAndDestroy()
      if (next === "refuse") server.close()
      else if (!server.listening) await listen(address.port)
      weather = next
    },
    async close() {
      for (const client of [...take(), ...silent]) client.destroy()
      server.close()
    },
  }
}

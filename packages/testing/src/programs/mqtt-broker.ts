/** A real MQTT broker for tests: aedes, on a port of its own, which can be ended and started again without what it retained. */
import { once } from "node:events"
import { createServer, type Server, type Socket } from "node:net"
import { Aedes } from "aedes"

/** A message that a client published. */
export interface BrokerMessage {
  readonly topic: string
  readonly payload: string
  readonly isRetained: boolean
}

export interface TestBroker {
  /** mqtt:// with the port. */
  readonly url: string
  readonly port: number
  /** Everything that clients published, in order, and last wills. */
  readonly messages: readonly BrokerMessage[]
  /** The payloads that are retained, by topic. */
  readonly retained: ReadonlyMap<string, string>
  /** Forgets `messages`. */
  clear(): void
  /** Clients that are connected. */
  clients(): number
  /** Publishes as Home Assistant does. */
  publish(topic: string, payload: string, options?: { readonly isRetained?: boolean }): Promise<void>
  /** Ends every connection at once, without a word, as a broker that is killed. What it retained is lost. */
  kill(): Promise<void>
  /** Starts again on the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

interface BrokerOptions {
  /** Without, everybody may connect. */
  readonly password?: { readonly user: string; readonly password: string }
  /** What becomes of subscriptions. @default "granted" */
  readonly subscriptions?: "granted" | "refused" | "unanswered"
}

export async function startBroker({ password, subscriptions = "granted" }: BrokerOptions = {}): Promise<TestBroker> {
  const messages: BrokerMessage[] = []
  const retained = new Map<string, string>()
  const sockets = new Set<Socket>()
  let port = 0
  let running: { readonly aedes: Aedes; readonly server: Server } | undefined
  const start = async () => {
    const aedes = await Aedes.createBroker()
    if (password)
      aedes.authenticate = (_client, user, given, done) =>
        done(null, user === password.user && given?.toString() === password.password)
    if (subscriptions !== "granted")
      aedes.authorizeSubscribe = (_client, _subscription, done) => {
        if (subscriptions === "refused") done(null, null)
      }
    aedes.on("publish", (packet) => {
      // The broker's own messages about itself.
      if (packet.topic.startsWith("$SYS")) return
      const payload = packet.payload.toString()
      messages.push({ topic: packet.topic, payload, isRetained: packet.retain })
      if (!packet.retain) return
      if (payload === "") retained.delete(packet.topic)
      else retained.set(packet.topic, payload)
    })
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket)).on("error", () => {})
      aedes.handle(socket)
    })
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    port = address !== null && typeof address === "object" ? address.port : 0
    running = { aedes, server }
  }
  const kill = async () => {
    if (!running) return
    const { aedes, server } = running
    running = undefined
    const closed = once(server, "close")
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
    await new Promise<void>((resolve) => aedes.close(() => resolve()))
    retained.clear()
  }
  await start()
  const credentials = password ? `${password.user}:${password.password}@` : ""
  return {
    url: `mqtt://${credentials}127.0.0.1:${port}`,
    port,
    messages,
    retained,
    clear: () => void messages.splice(0),
    clients: () => sockets.size,
    publish: (topic, payload, { isRetained = false } = {}) =>
      new Promise((resolve, reject) => {
        if (!running) throw new Error("the broker does not run")
        const packet = { cmd: "publish", topic, payload, qos: 1, retain: isRetained, dup: false } as const
        running.aedes.publish(packet, (error) => (error ? reject(error) : resolve()))
      }),
    kill,
    start,
    close: kill,
  }
}

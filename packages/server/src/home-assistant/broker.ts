/** A connection to the MQTT broker of the operator's house. */
import { randomBytes } from "node:crypto"
import { connect as connectPlain, isIP } from "node:net"
import { connect as connectTls } from "node:tls"
import type { MqttClient } from "mqtt"
import { unlessAborted } from "../process/wait.ts"
import { describeFault, HomeAssistantFault } from "./fault.ts"

const CONNECT_MS = 10_000
/** Until the broker has acknowledged a message or a subscription. */
const ACKNOWLEDGE_MS = 10_000
/** A broker notices within one and a half of it that a process has died. MQTT 3.1.1 section 3.1.2.10. */
const KEEP_ALIVE_SECONDS = 30
const PORTS: Readonly<Record<string, number>> = { "mqtt:": 1883, "mqtts:": 8883 }

/** A connection that is open. */
export interface Broker {
  /** False if the broker refuses to tell of a topic. Publishing needs none. */
  readonly isSubscribed: boolean
  /** Resolves once the broker has acknowledged the message. @throws {HomeAssistantFault} */
  publish(topic: string, payload: string, options?: { readonly isRetained?: boolean }): Promise<void>
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>
  /** Ends it without the last will, once the broker knows. */
  close(): Promise<void>
  /** Ends it at once, if it has not ended. */
  end(): void
}

export interface BrokerOptions {
  /** mqtt:// or mqtts://, with user and password if the broker needs them. */
  readonly url: string
  /** What the broker publishes, retained, when the connection is lost. */
  readonly will?: { readonly topic: string; readonly payload: string }
  /** Topics to hear of. */
  readonly topics?: readonly string[]
  readonly onMessage?: (topic: string, payload: string) => void
  readonly signal: AbortSignal
}

/** Connects to a broker. The library is loaded here, so that services without a broker need no memory for it. @throws {HomeAssistantFault} */
export async function connectBroker(options: BrokerOptions): Promise<Broker> {
  const { url, will, topics = [], onMessage = () => {}, signal } = options
  const { MqttClient: Client } = await import("mqtt")
  const { username, password } = new URL(url)
  const client = new Client(() => openStream(options), {
    clientId: `restwell-${randomBytes(6).toString("hex")}`,
    protocolVersion: 4,
    clean: true,
    keepalive: KEEP_ALIVE_SECONDS,
    connectTimeout: CONNECT_MS,
    // Whoever waits for the connection decides when to connect again.
    reconnectPeriod: 0,
    ...(username !== "" && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
    ...(will && { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
  })
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()))
  // Messages that wait for an acknowledgement fail with it.
  void closed.then(() => client.end(true))
  client.on("message", (topic, payload) => onMessage(topic, payload.toString("utf8")))
  const fault = faultOf(client)
  let isSubscribed: boolean
  try {
    await unlessAborted(opened(client, closed, fault), signal)
    isSubscribed = topics.length === 0 || (await subscribe(client, { topics, signal, fault }))
  } catch (error) {
    client.end(true)
    throw error
  }
  return {
    isSubscribed,
    closed,
    async publish(topic, payload, { isRetained = false } = {}) {
      const sent = client.publishAsync(topic, payload, { qos: 1, retain: isRetained })
      try {
        await unlessAborted(sent, AbortSignal.timeout(ACKNOWLEDGE_MS))
      } catch (cause) {
        client.end(true)
        throw new HomeAssistantFault("silent", "the broker does not acknowledge messages", { cause })
      }
    },
    close: () => client.endAsync().then(() => {}),
    end: () => void client.end(true),
  }
}

interface Subscription extends Required<Pick<BrokerOptions, "topics" | "signal">> {
  readonly fault: () => unknown
}

/** @returns false if the broker refuses a topic, MQTT 3.1.1 section 3.9.3 @throws {HomeAssistantFault} when it does not answer */
async function subscribe(client: MqttClient, { topics, signal, fault }: Subscription): Promise<boolean> {
  const late = AbortSignal.timeout(ACKNOWLEDGE_MS)
  try {
    await unlessAborted(client.subscribeAsync([...topics], { qos: 1 }), AbortSignal.any([signal, late]))
    return true
  } catch (cause) {
    signal.throwIfAborted()
    if (late.aborted) throw new HomeAssistantFault("silent", "the broker does not answer to a subscription", { cause })
    // The library fails alike after a refusal, and after the end of the connection.
    if (client.connected) return false
    throw describeFault(fault() ?? cause, "the broker")
  }
}

function openStream({ url }: BrokerOptions) {
  const { protocol, hostname, port: given } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, "")
  const port = given === "" ? (PORTS[protocol] ?? 0) : Number(given)
  const where = { host, port }
  if (protocol === "mqtt:") return connectPlain(where)
  return connectTls({ ...where, ...(isIP(host) === 0 && { servername: host }) })
}

/** The newest error of the connection: the library reports one before it closes. */
function faultOf(client: MqttClient): () => unknown {
  let newest: unknown
  client.on("error", (error) => {
    newest = error
  })
  return () => newest
}

async function opened(client: MqttClient, closed: Promise<void>, fault: () => unknown): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.once("connect", () => resolve())
  const fail = () => reject(describeFault(fault(), "the broker"))
  client.once("error", fail)
  void closed.then(fail)
  await promise
}

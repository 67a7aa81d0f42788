import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { setTimeout as wait } from "node:timers/promises"

/** Time between two readiness checks of a replica. */
const LOOK_MS = 100
const PATIENCE_MS = 2_000
/** Failed checks in a row after which a replica gets no more requests. */
const MISSES = 2

export interface Balancer {
  readonly url: string
  /** Resolves once this many replicas are ready. */
  untilReady(count: number): Promise<void>
  close(): Promise<void>
}

/**
 * A reverse proxy that checks `/readyz` and sends each request to a ready replica, over connections that stay open. It repeats no request:
 * one that a replica drops or refuses has failed.
 */
export async function startBalancer(replicas: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  let turn = 0
  let isOver = false
  const look = async (replica: string): Promise<boolean> => {
    const answer = await fetch(`${replica}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    await answer.arrayBuffer()
    return answer.ok
  }
  const watch = async (replica: string): Promise<void> => {
    for (let misses = 0; !isOver; await wait(LOOK_MS)) {
      misses = (await look(replica).catch(() => false)) ? 0 : misses + 1
      if (misses === 0) ready.add(replica)
      else if (misses >= MISSES) ready.delete(replica)
    }
  }
  const watching = replicas.map(watch)
  const server = createServer((incoming, outgoing) => {
    const [...choices] = ready
    turn += 1
    const replica = choices[turn % choices.length]
    if (replica === undefined) fail(outgoing, 503, "no replica is ready")
    else pass(agent, replica, incoming, outgoing)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("the balancer listens nowhere")
  return {
    url: `http://localhost:${address.port}`,
    async untilReady(count) {
      while (ready.size < count) await wait(LOOK_MS)
    },
    async close() {
      isOver = true
      await Promise.all(watching)
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function pass(agent: Agent, replica: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = "/", headers } = incoming
  const { connection: _, ...kept } = headers
  const upstream = request(new URL(url, replica), { agent, method, headers: kept }, (answer) => {
    const { connection: __, "keep-alive": ___, ...own } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, own)
    answer.on("error", () => outgoing.destroy()).pipe(outgoing)
  })
  upstream.on("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else fail(outgoing, 502, `${replica}: ${error.message}`)
  })
  incoming.pipe(upstream)
}

function fail(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain" }).end(message)
}

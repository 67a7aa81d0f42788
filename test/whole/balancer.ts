import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"

/** A reverse proxy with one address for several processes. */
export interface Balancer {
  readonly url: string
  /** Sets the processes that receive the requests from now on. */
  between(...processes: readonly { readonly url: string }[]): void
  close(): Promise<void>
}

/** Starts a proxy that keeps connections open, and never repeats a request: one that a process drops or refuses has failed. */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let targets: readonly string[] = []
  let count = 0
  const server = createServer((incoming, outgoing) => {
    count += 1
    const target = targets[count % targets.length]
    if (target === undefined) fail(outgoing, 503, "no process is ready")
    else pass(agent, target, incoming, outgoing)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the balancer has no port")
  return {
    url: `http://localhost:${address.port}`,
    between(...processes) {
      targets = processes.map(({ url }) => url)
    },
    async close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function pass(agent: Agent, target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = "/", headers } = incoming
  const { connection: _, ...forwarded } = headers
  const upstream = request(new URL(url, target), { agent, method, headers: forwarded }, (answer) => {
    const { connection: __, "keep-alive": ___, ...returned } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, returned)
    answer.on("error", () => outgoing.destroy()).pipe(outgoing)
  })
  upstream.on("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else fail(outgoing, 502, `${target}: ${error.message}`)
  })
  incoming.pipe(upstream)
}

function fail(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain" }).end(message)
}

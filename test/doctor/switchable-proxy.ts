import { once } from "node:events"
import { createServer, request, type Server } from "node:http"

/** A proxy in front of a service, as an operator would set up a good or a bad one. */
export interface SwitchableProxy {
  readonly url: string
  /** Where it forwards to. */
  target: string
  /** What it does with X-Forwarded-For. */
  forwardedFor: "append" | "replace" | "leave"
  /** Paths that it refuses. */
  blocked: RegExp | undefined
  close(): Promise<void>
}

/** Starts a proxy that forwards well. Its target is set later. */
export async function startProxy(): Promise<SwitchableProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    if (proxy.blocked?.test(incoming.url ?? "")) return void outgoing.writeHead(403).end("blocked")
    const { "x-forwarded-for": given, ...headers } = incoming.headers
    const visitor = incoming.socket.remoteAddress ?? ""
    const forwarded = { append: `${given ?? ""}, ${visitor}`, replace: visitor, leave: given }[proxy.forwardedFor]
    const options = {
      method: incoming.method,
      headers: { ...headers, ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) },
    }
    const forwardedRequest = request(`${proxy.target}${incoming.url}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwardedRequest.on("error", () => outgoing.writeHead(502).end())
    incoming.pipe(forwardedRequest)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new TypeError("it listens on no port")
  const proxy: SwitchableProxy = {
    url: `http://127.0.0.1:${address.port}`,
    target: "http://127.0.0.1:1",
    forwardedFor: "append",
    blocked: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
  return proxy
}

import { once } from "node:events"
import { createServer, type RequestListener, request, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { ServerCertificate } from "./certificates.ts"

/** A proxy in front of a service, as an operator would set up a good or a bad one. */
export interface SwitchableProxy {
  readonly url: string
  /** Starts listening for https beside it. @returns the address */
  serveTls(certificate: ServerCertificate): Promise<string>
  /** Where it forwards to. */
  target: string
  /** What it does with X-Forwarded-For. */
  forwardedFor: "append" | "replace" | "leave"
  /** Names of headers that it does not pass on. */
  dropped: readonly string[]
  /** Paths that it refuses. */
  blocked: RegExp | undefined
  close(): Promise<void>
}

/** Starts a proxy that forwards well. Its target is set later. */
export async function startProxy(): Promise<SwitchableProxy> {
  const forward: RequestListener = (incoming, outgoing) => {
    if (proxy.blocked?.test(incoming.url ?? "")) return void outgoing.writeHead(403).end("blocked")
    const { "x-forwarded-for": given, ...headers } = incoming.headers
    const visitor = incoming.socket.remoteAddress ?? ""
    const forwarded = { append: `${given ?? ""}, ${visitor}`, replace: visitor, leave: given }[proxy.forwardedFor]
    const all = { ...headers, ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) }
    const options = {
      method: incoming.method,
      headers: Object.fromEntries(Object.entries(all).filter(([name]) => !proxy.dropped.includes(name))),
    }
    const forwardedRequest = request(`${proxy.target}${incoming.url}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwardedRequest.on("error", () => outgoing.writeHead(502).end())
    incoming.pipe(forwardedRequest)
  }
  const servers: Server[] = []
  const listen = async (server: Server): Promise<string> => {
    servers.push(server)
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new TypeError("it listens on no port")
    return `127.0.0.1:${address.port}`
  }
  const proxy: SwitchableProxy = {
    url: `http://${await listen(createServer(forward))}`,
    serveTls: async (certificate) => `https://${await listen(createTlsServer(certificate, forward))}`,
    target: "http://127.0.0.1:1",
    forwardedFor: "append",
    dropped: [],
    blocked: undefined,
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
        await once(server, "close")
      }
    },
  }
  return proxy
}

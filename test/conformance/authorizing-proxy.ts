/** A streaming proxy that adds an access token to every request, because the conformance suite cannot send one. */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from "node:http"
import { pipeline } from "node:stream"
import { listenOnLoopback } from "./loopback.ts"

export interface AuthorizingProxy {
  /** The target's address, as it is reached through the proxy. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a proxy on a free loopback port, before an `http:` target. */
export async function startAuthorizingProxy(to: { target: string; token: string }): Promise<AuthorizingProxy> {
  const target = new URL(to.target)
  const authorization = `Bearer ${to.token}`
  let own = ""
  const { origin, close } = await listenOnLoopback(
    createServer((incoming, response) => {
      pass(incoming, response, target, { ...headersFor(target, own, incoming), authorization })
    }),
  )
  own = origin
  return { url: `${origin}${target.pathname}`, close }
}

// The target knows only its own origin. It must refuse a foreign Host or Origin, so these pass unchanged.
function headersFor(target: URL, own: string, { headers }: IncomingMessage): OutgoingHttpHeaders {
  const host = `http://${headers.host}` === own ? target.host : headers.host
  const origin = headers.origin === own ? target.origin : headers.origin
  return { ...headers, ...(host && { host }), ...(origin && { origin }) }
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: URL, headers: OutgoingHttpHeaders): void {
  const { hostname, port } = target
  const outgoing = request({ hostname, port, method: incoming.method, path: incoming.url, headers, agent: false })
  outgoing.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    // An event stream sends its headers before its first event.
    response.flushHeaders()
    pipeline(answer, response, () => outgoing.destroy())
  })
  outgoing.once("error", () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  response.once("close", () => outgoing.destroy())
  pipeline(incoming, outgoing, () => {})
}

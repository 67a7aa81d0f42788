/** A real HTTP server on the loopback that answers as it is told, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface Told {
  readonly status: number
  readonly headers?: Record<string, string>
  /** Sent as it is when a string, else as JSON. */
  readonly body?: unknown
}

export type Reply = Told | ((request: IncomingMessage, response: ServerResponse) => void)

export interface LocalServer extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked[]
}

/** Starts a server that gives `replies` in turn, the last one for ever. */
export async function startServer(...replies: readonly [Reply, ...Reply[]]): Promise<LocalServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? replies[0]
    asked.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers })
    if (typeof reply === "function") reply(request, response)
    else tell(response, reply)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function tell(response: ServerResponse, { status, headers, body }: Told): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
  response.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body))
}

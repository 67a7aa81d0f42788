/** A real HTTP server on the loopback interface with scripted replies, which records its requests. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"

interface RecordedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface ScriptedResponse {
  readonly status: number
  readonly headers?: Record<string, string>
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown
}

export type Reply = ScriptedResponse | ((request: IncomingMessage, response: ServerResponse) => void)

export interface LocalServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
}

/** Starts a server that sends `replies` in turn, then repeats the last one. */
export async function startServer(...replies: readonly [Reply, ...Reply[]]): Promise<LocalServer> {
  const requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? replies[0]
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers })
    if (typeof reply === "function") reply(request, response)
    else sendReply(response, reply)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function sendReply(response: ServerResponse, { status, headers, body }: ScriptedResponse): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
  response.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body))
}

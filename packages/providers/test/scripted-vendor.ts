// A loopback server that answers what a test scripts, one answer per request, and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

interface SeenRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type ScriptedAnswer = (request: SeenRequest, response: ServerResponse) => void

export interface ScriptedVendor {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** What the next requests are answered, in order; the last one stays. */
  script(...answers: ScriptedAnswer[]): void
  close(): Promise<void>
}

/** An answer of this status, body and headers. */
export function answer(status: number, body = "", headers: Record<string, string> = {}): ScriptedAnswer {
  return (_request, response) => {
    response.writeHead(status, headers).end(body)
  }
}

/** A JSON answer of 200. */
export function json(body: unknown, headers: Record<string, string> = {}): ScriptedAnswer {
  return answer(200, JSON.stringify(body), { "content-type": "application/json", ...headers })
}

/** Headers and half a body, then nothing more. */
export const stall: ScriptedAnswer = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).write('{"records":[')
}

/** The connection cut in the middle of the body. */
export const cut: ScriptedAnswer = (_request, response) => {
  response.writeHead(200, { "content-length": "1000" }).write('{"records":[')
  setImmediate(() => response.destroy())
}

/** Starts one; close it after the test. */
export async function startScriptedVendor(): Promise<ScriptedVendor> {
  const seen: SeenRequest[] = []
  let script: ScriptedAnswer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? "/", "http://vendor")
    const body = Buffer.concat(chunks).toString("utf8")
    const met = { method: request.method ?? "", url, headers: request.headers, body }
    seen.push(met)
    const next = script.length > 1 ? script.shift() : script[0]
    if (next) next(met, response)
    else response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The scripted vendor has no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    script: (...answers) => {
      script = answers
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections()
        server.close((error) => (error ? reject(error) : resolve()))
      }),
  }
}

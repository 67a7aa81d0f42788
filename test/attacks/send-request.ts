import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as sendHttp } from "node:http"

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawRequest {
  readonly method: string
  /** Sent as it is, which fetch would not do. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const PATIENCE_MS = 20_000

/** Sends a request without correcting anything in it. @throws after 20 seconds without an answer */
export function sendRequest(url: string, agent: Agent, { method, target, headers, body }: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const options = { agent, hostname, port, method, path: target, headers: { ...headers, ...length } }
  const sent = sendHttp(options, (response) => void readAnswer(response).then(resolve, reject))
  sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error(`no answer to ${method} ${target.slice(0, 200)}`)))
  sent.on("error", (cause) => reject(new Error(`no valid answer to ${method} ${target.slice(0, 200)}`, { cause })))
  sent.end(body)
  return promise
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let body = ""
  response.setEncoding("utf8")
  for await (const piece of response) body += String(piece)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

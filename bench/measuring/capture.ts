import { type IncomingMessage, type RequestOptions, request } from "node:http"
import { buffer } from "node:stream/consumers"
import type { SentRequest } from "./requests.ts"

/** A response, without the headers that node:http adds to every response. */
export interface Captured {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const OF_NODE = /^(?:date|connection|keep-alive)$/i

export async function capture(
  port: number,
  { path, method = "GET", headers = {}, body = "" }: SentRequest,
): Promise<Captured> {
  const options = { host: "127.0.0.1", port, path, method, headers: { host: "127.0.0.1", ...headers } }
  const response = await send(options, body)
  const { rawHeaders, statusCode = 0 } = response
  const kept = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !OF_NODE.test(name) ? [name, rawHeaders[index + 1] ?? ""] : [],
  )
  return { status: statusCode, headers: kept, body: await buffer(response) }
}

/** Sends a request. Resolves with the head of its response. */
function send(options: RequestOptions, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(options, resolve).on("error", reject).end(body)
  return promise
}

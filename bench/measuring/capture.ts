import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { buffer } from "node:stream/consumers"
import type { Asked } from "./requests.ts"

/** An answer as it came, but for what node:http itself says to every client. */
export interface Captured {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const OF_NODE = /^(?:date|connection|keep-alive)$/i

export async function capture(
  port: number,
  { path, method = "GET", headers = {}, body = "" }: Asked,
): Promise<Captured> {
  const asked = request({ host: "127.0.0.1", port, path, method, headers: { host: "127.0.0.1", ...headers } }).end(body)
  const [answer]: [IncomingMessage] = Object(await once(asked, "response"))
  const { rawHeaders, statusCode = 0 } = answer
  const kept = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !OF_NODE.test(name) ? [name, rawHeaders[index + 1] ?? ""] : [],
  )
  return { status: statusCode, headers: kept, body: await buffer(answer) }
}

import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

export interface OauthRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly socket: Socket
}

/** A request with only those parts of the incoming one that the authorization server's library may see. */
export function nodeRequestOf({ method, url, headers, body, socket }: OauthRequest): IncomingMessage {
  const message = new IncomingMessage(socket)
  Object.assign(message, { method, url, httpVersion: "1.1", complete: true })
  message.headers = { ...headers, ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }) }
  if (body !== "") message.push(body)
  message.push(null)
  return message
}

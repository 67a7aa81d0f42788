import type { Socket } from "node:net"

/** Statuses of what Node's HTTP parser refuses. */
const STATUSES: Readonly<Record<string, readonly [number, string, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "headers_too_large", "the headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "request_timeout", "the request took too long to arrive"],
}
const MALFORMED = [400, "Bad Request", "invalid_request", "this is not HTTP as a server can read it"] as const

/** Answers, in JSON as everywhere, what never became a request. */
export function answerClientError(error: Error, socket: Socket): void {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, name, message] = STATUSES[code] ?? MALFORMED
  const body = JSON.stringify({ error: name, message, ...(status === 400 && { field: "request" }) })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  )
}

import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

interface RawAnswer {
  readonly status: number
  readonly reason: string
  readonly body: Readonly<Record<string, string>>
}

/** What Node's HTTP parser refuses, by its code. */
const REFUSALS: Readonly<Record<string, RawAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "Request Header Fields Too Large",
    body: { error: "headers_too_large", message: "the headers are too large" },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: "Request Timeout",
    body: { error: "request_timeout", message: "the request took too long to arrive" },
  },
}

const badRequest = (message: string, field: string): RawAnswer => ({
  status: 400,
  reason: "Bad Request",
  body: { error: "invalid_request", message, field },
})

const EXPECTATION_FAILED = {
  error: "expectation_failed",
  message: "of Expect, only 100-continue is understood",
} as const

/** Answers, in JSON as everywhere, what never became a request. */
export function answerClientError(error: Error, socket: Duplex): void {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ECONNRESET" || !socket.writable) socket.destroy()
  else sendRaw(socket, REFUSALS[code] ?? badRequest("this is not HTTP as a server can read it", "request"))
}

/** What Node answers by itself, without a body, or by hanging up. */
export function answerOddRequests(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    // A client that hangs up before it has read the answer is no fault of ours.
    socket.on("error", () => socket.destroy())
    sendRaw(socket, badRequest("this is no proxy", "method"))
  })
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const text = JSON.stringify(EXPECTATION_FAILED)
    response.writeHead(417, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
    })
    response.end(text)
  })
}

function sendRaw(socket: Duplex, { status, reason, body }: RawAnswer): void {
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${text}`,
  )
}

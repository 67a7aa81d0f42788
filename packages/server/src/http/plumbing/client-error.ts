import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

interface RawResponse {
  readonly status: number
  readonly reason: string
  readonly body: Readonly<Record<string, string>>
}

/** Responses to errors of Node's HTTP parser, by code. */
const REFUSALS: Readonly<Record<string, RawResponse>> = {
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

const badRequest = (message: string, field: string): RawResponse => ({
  status: 400,
  reason: "Bad Request",
  body: { error: "invalid_request", message, field },
})

const EXPECTATION_FAILED = {
  error: "expectation_failed",
  message: "the only supported Expect is 100-continue",
} as const

/** Answers what Node could not parse as a request, in JSON. */
export function answerClientError(error: Error, socket: Duplex): void {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ECONNRESET" || !socket.writable) socket.destroy()
  else sendRaw(socket, REFUSALS[code] ?? badRequest("this is not a valid HTTP request", "request"))
}

/** Answers requests that Node would answer without a body, or by closing the connection. */
export function answerOddRequests(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    // The client may close the connection before it reads the response.
    socket.on("error", () => socket.destroy())
    sendRaw(socket, badRequest("this server is not a proxy", "method"))
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

function sendRaw(socket: Duplex, { status, reason, body }: RawResponse): void {
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${text}`,
  )
}

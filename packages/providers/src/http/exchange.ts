// One request, one answer: bounded in time and size, and never carried to another address.
import type { Fetch } from "../contract/adapter-options.ts"
import { VendorUnavailable } from "../contract/errors.ts"

/** A vendor's answer, whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface ExchangeLimits {
  readonly fetch: Fetch
  /** From connecting to the body's last byte, milliseconds. */
  readonly timeoutMs: number
  /** Of the body, decompressed, bytes. */
  readonly maxBodyBytes: number
}

/** Far above any page of records: it bounds what a broken vendor can cost, bytes. */
export const DEFAULT_MAX_BODY_BYTES = 8 * 1024 * 1024
/** Milliseconds. */
export const DEFAULT_TIMEOUT_MS = 20_000

/**
 * Sends one request and reads its whole answer, of whatever status.
 * @param operation names the call in messages: method and path without ids
 * @throws {VendorUnavailable} without an answer: unreachable, too slow, too large, or a redirect
 */
export async function exchange(
  limits: ExchangeLimits,
  operation: string,
  url: URL,
  init: RequestInit,
): Promise<Answer> {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  const answer = await receive(limits, url, { ...init, signal }).catch((cause: unknown) => {
    const what = signal.aborted ? `No whole answer within ${limits.timeoutMs} ms to` : "No whole answer to"
    throw new VendorUnavailable(`${what} ${operation}`, { cause })
  })
  // An API that redirects is a proxy or a sign-in page in the way. Following would hand the token to it.
  if (answer.status >= 300 && answer.status < 400) {
    throw new VendorUnavailable(`${operation} was redirected with status ${answer.status}`)
  }
  return answer
}

async function receive(limits: ExchangeLimits, url: URL, init: RequestInit): Promise<Answer> {
  const response = await limits.fetch(url, { ...init, redirect: "manual" })
  return { status: response.status, headers: response.headers, text: await readText(response, limits.maxBodyBytes) }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ""
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  // Leaving the loop by a throw cancels the stream, and with it the connection.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new RangeError(`The body is larger than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

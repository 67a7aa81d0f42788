// One request and its answer, limited in time and size. Redirects are not followed.
import type { Fetch } from "../contract/adapter.ts"
import { VendorUnavailable } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"

/** A vendor's whole answer. */
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
  /** Returns what an answer means, for a vendor that writes its status into the body. @default what it says */
  readonly meaningOf?: (answer: Answer) => Answer
}

/**
 * Sends one request and reads its whole answer, whatever the status.
 * @param operation names the call in messages: method and path without ids
 * @throws {VendorUnavailable} when the vendor is unreachable, too slow, answers too much, or redirects
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
    throw new VendorUnavailable(`${what} ${operation}`, { cause, isTooSlow: signal.aborted })
  })
  // A redirect comes from a proxy or a sign-in page. Following it would send the token there.
  if (answer.status >= 300 && answer.status < 400) {
    throw new VendorUnavailable(`${operation} was redirected with status ${answer.status}`)
  }
  return limits.meaningOf?.(answer) ?? answer
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
  // A throw inside the loop cancels the stream and its connection.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new RangeError(`The body is larger than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Returns the JSON of a successful answer's body.
 * @throws {VendorUnavailable} for a body that is cut short, HTML or empty, as proxies and failing servers send
 */
export function readJson(answer: Answer, operation: string): Json {
  try {
    const json: Json = JSON.parse(answer.text)
    return json
  } catch {
    // No cause: the SyntaxError quotes the body, which holds health data or a token.
    throw new VendorUnavailable(`${operation} answered ${answer.status} with a body that is not JSON`)
  }
}

/** A header of a webhook, which is empty where there is none or several. */
export const headerText = (header: string | readonly string[] | undefined): string =>
  typeof header === "string" ? header : ""

/** The JSON of a webhook. Undefined for other bytes: the schema then says what is missing. */
export function bodyJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(rawBody))
  } catch {
    return undefined
  }
}

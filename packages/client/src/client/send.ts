import { NetworkError } from "../errors/network-error.ts"
import { TimeoutError } from "../errors/timeout-error.ts"
import { followingSignals } from "./abort.ts"
import type { Settings } from "./settings.ts"

/** An HTTP answer, read to its end. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends one GET and reads the whole answer. Throws NetworkError, TimeoutError, or the reason `signal` aborted with. */
export async function send(
  settings: Settings,
  request: { url: string; etag: string | undefined; signal: AbortSignal },
): Promise<HttpAnswer> {
  // Taken out to be called without a receiver: a browser's fetch refuses any `this` but the window.
  const { fetch, apiKey, timeoutMs } = settings
  const headers = new Headers({ accept: "application/json", authorization: `Bearer ${apiKey}` })
  if (request.etag !== undefined) headers.set("if-none-match", request.etag)
  return followingSignals([request.signal], async (controller) => {
    const timer = setTimeout(() => controller.abort(timeoutOf(request.url, timeoutMs)), timeoutMs)
    try {
      // no-store: a browser's own cache would answer for 15 minutes without asking, and leave health data on the disk.
      const response = await fetch(request.url, { headers, cache: "no-store", signal: controller.signal })
      const text = await response.text()
      // A server that echoes the key must not get it into an error message, and from there into a log.
      return { status: response.status, headers: response.headers, text: text.replaceAll(apiKey, "[api key]") }
    } catch (cause) {
      if (controller.signal.aborted) throw controller.signal.reason
      throw new NetworkError(`no answer from ${request.url}`, { cause })
    } finally {
      clearTimeout(timer)
    }
  })
}

const timeoutOf = (url: string, timeoutMs: number) =>
  new TimeoutError(`no whole answer from ${url} within ${timeoutMs} ms`)

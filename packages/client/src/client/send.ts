import { NetworkError } from "../errors/network-error.ts"
import { TimeoutError } from "../errors/timeout-error.ts"
import { withSignals } from "./abort.ts"
import type { Settings } from "./settings.ts"

/** An HTTP response with its whole body. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends one GET and reads the whole response. Throws NetworkError, TimeoutError, or the reason `signal` aborted with. */
export async function send(
  settings: Settings,
  request: { url: string; etag: string | undefined; signal: AbortSignal },
): Promise<HttpResponse> {
  // Destructured to be called without a receiver: a browser's fetch refuses any `this` but the window.
  const { fetch, apiKey, timeoutMs } = settings
  const headers = new Headers({ accept: "application/json", authorization: `Bearer ${apiKey}` })
  if (request.etag !== undefined) headers.set("if-none-match", request.etag)
  return withSignals([request.signal], async (controller) => {
    const timeout = new TimeoutError(`no complete response from ${request.url} within ${timeoutMs} ms`)
    const timer = setTimeout(() => controller.abort(timeout), timeoutMs)
    try {
      // no-store: the browser's cache would reply for 15 minutes without a request, and leave health data on the disk.
      const response = await fetch(request.url, { headers, cache: "no-store", signal: controller.signal })
      const text = await response.text()
      // A server that echoes the key must not get it into an error message, and from there into a log.
      return { status: response.status, headers: response.headers, text: text.replaceAll(apiKey, "[api key]") }
    } catch (cause) {
      if (controller.signal.aborted) throw controller.signal.reason
      throw new NetworkError(`no response from ${request.url}`, { cause })
    } finally {
      clearTimeout(timer)
    }
  })
}

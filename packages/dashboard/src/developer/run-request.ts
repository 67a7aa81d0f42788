/** A response in the form that the console displays. */
export interface RawResponse {
  readonly request: string
  readonly status: number
  readonly statusText: string
  readonly tookMs: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Reason phrases of the API's statuses. HTTP/2 responses have none. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: "OK",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
}

/** Sends a GET request with the key. Without a key, uses the session, and the request is not counted. */
export async function runRequest(search: string, apiKey: string, etag: string | undefined): Promise<RawResponse> {
  const path = `${apiKey === "" ? "/api/account/health" : "/api/v1/health"}${search === "" ? "" : `?${search}`}`
  const startedAt = performance.now()
  const response = await fetch(path, {
    // With a key, the session cookie is not needed.
    credentials: apiKey === "" ? "same-origin" : "omit",
    // Bypasses the browser's cache, so that a 304 is visible.
    cache: "no-store",
    headers: {
      ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
      ...(etag !== undefined && { "if-none-match": etag }),
    },
  })
  const body = await response.text()
  return {
    request: `GET ${path}`,
    status: response.status,
    statusText: STATUS_TEXTS[response.status] ?? response.statusText,
    tookMs: performance.now() - startedAt,
    headers: [...response.headers],
    body: pretty(body),
  }
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

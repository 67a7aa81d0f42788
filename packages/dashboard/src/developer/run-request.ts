/** What came back, as it is: the console shows it raw. */
export interface RawAnswer {
  readonly request: string
  readonly status: number
  readonly statusText: string
  readonly tookMs: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Words of the statuses that the API answers with; HTTP/2 brings none along. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: "OK",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
}

/** Runs a GET of the API: with a key as a program would, or as the person who is signed in, which is not counted. */
export async function runRequest(search: string, apiKey: string, etag: string | undefined): Promise<RawAnswer> {
  const path = `${apiKey === "" ? "/api/account/health" : "/api/v1/health"}${search === "" ? "" : `?${search}`}`
  const startedAt = performance.now()
  const answer = await fetch(path, {
    // A key is sent alone: the session's cookie would prove nothing here.
    credentials: apiKey === "" ? "same-origin" : "omit",
    // Past the browser's own cache, so that a 304 is shown as one.
    cache: "no-store",
    headers: {
      ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
      ...(etag !== undefined && { "if-none-match": etag }),
    },
  })
  const body = await answer.text()
  return {
    request: `GET ${path}`,
    status: answer.status,
    statusText: STATUS_WORDS[answer.status] ?? answer.statusText,
    tookMs: performance.now() - startedAt,
    headers: [...answer.headers],
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

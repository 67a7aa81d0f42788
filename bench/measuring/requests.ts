/** Requests as bytes, which are built before the measurement. */
export interface SentRequest {
  readonly path: string
  readonly method?: "GET" | "HEAD" | "POST"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function bytesOf({ path, method = "GET", headers = {}, body = "" }: SentRequest): Buffer {
  const lines = Object.entries({
    host: "127.0.0.1",
    ...headers,
    ...(body !== "" && { "content-length": Buffer.byteLength(body) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
}

/** A read by key. @param search without its question mark */
export const readOf = (key: string, search: string, headers: SentRequest["headers"] = {}): SentRequest => ({
  path: `/api/v1/health?${search}`,
  headers: { authorization: `Bearer ${key}`, ...headers },
})

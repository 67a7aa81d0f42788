/** The outcome of a request to a service that may be killed at any moment. */
export type Outcome =
  | { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly body: string }
  /** It was sent and no complete response came: whether it took effect is unknown. */
  | { readonly kind: "lost" }
  /** The connection was refused: it had no effect. */
  | { readonly kind: "unsent" }

/** Longer than the service waits for its database. */
const TIMEOUT_MS = 20_000

export async function tryRequest(url: string, init: RequestInit = {}): Promise<Outcome> {
  try {
    const response = await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { kind: "answered", status: response.status, headers: response.headers, body: await response.text() }
  } catch (error) {
    return { kind: isRefused(error) ? "unsent" : "lost" }
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause && error.cause.code === "ECONNREFUSED"

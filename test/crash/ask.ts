/** What became of a request to a service that may die at any moment. */
export type Outcome =
  | { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly body: string }
  /** It was on its way, and no whole answer came: whether it was done is not known. */
  | { readonly kind: "lost" }
  /** Nobody listened: it was not done. */
  | { readonly kind: "unsent" }

/** Longer than the service lets a reader wait for its database. */
const PATIENCE_MS = 20_000

export async function ask(url: string, init: RequestInit = {}): Promise<Outcome> {
  try {
    const answer = await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { kind: "answered", status: answer.status, headers: answer.headers, body: await answer.text() }
  } catch (error) {
    return { kind: isRefused(error) ? "unsent" : "lost" }
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause && error.cause.code === "ECONNREFUSED"

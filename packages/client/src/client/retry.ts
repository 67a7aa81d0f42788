import { type HealthApiError, NetworkError, RateLimitedError, ServiceUnavailableError } from "./errors.ts"

/** First back-off, milliseconds. Each further one is twice as long. */
const FIRST_BACK_OFF_MS = 300

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  /** The longest `Retry-After` to wait for, seconds. */
  readonly maxRetryAfterSeconds: number
  /** Waits; rejects when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** A number from 0 to 1, for the jitter. */
  readonly random: () => number
}

/**
 * Runs `attempt` until it succeeds, fails permanently, or the retries are used up; then throws the last failure.
 * Retries network errors, an unavailable service, and a 429 with a short `Retry-After`. Repeating a GET is safe.
 */
export async function withRetries<T>(policy: RetryPolicy, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs = failures < policy.retries ? retryDelayMs(policy, error, failures) : null
      if (waitMs === null) throw error
      await policy.delay(waitMs, signal)
    }
  }
}

/** Returns the wait before the next attempt, milliseconds; null when a retry cannot help. */
function retryDelayMs(policy: RetryPolicy, error: unknown, failures: number): number | null {
  if (!isTemporary(error)) return null
  const retryAfterSeconds = error instanceof NetworkError ? null : error.retryAfterSeconds
  const jitter = policy.random()
  if (retryAfterSeconds === null) {
    // A 429 without Retry-After means the monthly quota is used up: a short wait does not help.
    return error.status === 429 ? null : FIRST_BACK_OFF_MS * 2 ** failures * (0.5 + jitter / 2)
  }
  if (retryAfterSeconds > policy.maxRetryAfterSeconds) return null
  // Never earlier than requested, and with jitter so that waiting clients do not return at once.
  return retryAfterSeconds * 1000 + FIRST_BACK_OFF_MS * jitter
}

type TemporaryError = NetworkError | RateLimitedError | ServiceUnavailableError

const isTemporary = (error: unknown): error is TemporaryError & HealthApiError =>
  error instanceof NetworkError || error instanceof RateLimitedError || error instanceof ServiceUnavailableError

/**
 * Runs `work` with a controller that aborts with the reason of the first of `signals` to abort.
 * `AbortSignal.any` would not do: Node 20.0 to 20.2 and Safari before 17.4 lack it.
 */
export async function withSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const unsubscribes = signals.map((signal) => forwardAbort(signal, controller))
  try {
    controller.signal.throwIfAborted()
    return await work(controller)
  } finally {
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}

function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener("abort", abort)
  return () => signal?.removeEventListener("abort", abort)
}

/** Waits; rejects with the signal's reason as soon as it aborts. */
export function abortableDelay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}

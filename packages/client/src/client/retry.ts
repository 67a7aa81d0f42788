import type { HealthApiError } from "../errors/health-api-error.ts"
import { NetworkError } from "../errors/network-error.ts"
import { RateLimitedError } from "../errors/rate-limited-error.ts"
import { ServiceUnavailableError } from "../errors/service-unavailable-error.ts"

/** First back-off, milliseconds; each further one is twice as long. */
const FIRST_BACK_OFF_MS = 300

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  /** The longest wait a `Retry-After` may ask for, seconds. */
  readonly maxRetryAfterSeconds: number
  /** Waits; rejects when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** A number from 0 to 1, for the jitter. */
  readonly random: () => number
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the retries are used up; then throws the last failure.
 * Worth another attempt are: no answer, a service that is unavailable, and a 429 whose end is near. Every call is a GET, so
 * repeating one changes nothing.
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

/** Returns how long to wait before the next attempt, milliseconds; null when none can help. */
function retryDelayMs(policy: RetryPolicy, error: unknown, failures: number): number | null {
  if (!isTemporary(error)) return null
  const retryAfterSeconds = error instanceof NetworkError ? null : error.retryAfterSeconds
  const jitter = policy.random()
  if (retryAfterSeconds === null) {
    // A 429 that does not say when it ends is a used-up month: waiting a second will not help.
    return error.status === 429 ? null : FIRST_BACK_OFF_MS * 2 ** failures * (0.5 + jitter / 2)
  }
  if (retryAfterSeconds > policy.maxRetryAfterSeconds) return null
  // Never earlier than asked for, and not all waiting clients in the same instant.
  return retryAfterSeconds * 1000 + FIRST_BACK_OFF_MS * jitter
}

type TemporaryError = NetworkError | RateLimitedError | ServiceUnavailableError

const isTemporary = (error: unknown): error is TemporaryError & HealthApiError =>
  error instanceof NetworkError || error instanceof RateLimitedError || error instanceof ServiceUnavailableError

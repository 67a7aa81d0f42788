import { RateLimited, VendorUnavailable } from "../contract/errors.ts"

/** The two things a retry needs from outside. */
export interface RetryTools {
  readonly delay: (delayMs: number) => Promise<void>
  /** In [0, 1). */
  readonly random: () => number
}

/** Tries of one call in all. */
const MAX_TRIES = 3
/** A wait the vendor names is waited here up to this, seconds; a longer one is the caller's to schedule. */
const LONGEST_PATIENCE_SECONDS = 5
/** Before the second try; doubled before the third, milliseconds. */
const BACKOFF_MS = 400
/** Added at random to a wait the vendor names, so that those who were told the same do not come back at once, milliseconds. */
const SPREAD_MS = 1000

/** Makes an attempt, and again after a pause while `pauseMs` names one: 3 tries in all, then the last error. */
export async function withRetries<T>(
  tools: RetryTools,
  pauseMs: (error: unknown, tries: number, random: number) => number | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const pause = tries < MAX_TRIES ? pauseMs(error, tries, tools.random()) : undefined
      if (pause === undefined) throw error
      await tools.delay(pause)
    }
  }
}

/** Returns the pause before repeating a call that changes nothing, milliseconds; undefined when it should not be repeated now. */
export function pauseBeforeRepeat(error: unknown, tries: number, random: number): number | undefined {
  if (!(error instanceof RateLimited || error instanceof VendorUnavailable)) return undefined
  if (error.retryAfterSeconds === undefined) return backoffMs(tries, random)
  if (error.retryAfterSeconds > LONGEST_PATIENCE_SECONDS) return undefined
  return error.retryAfterSeconds * 1000 + random * SPREAD_MS
}

/**
 * Returns the pause before repeating a call that must not arrive twice, milliseconds: only where nothing was sent, because
 * no connection came about. After a time-out or a 5xx the vendor may have acted, and the answer alone was lost.
 */
export function pauseIfNeverSent(error: unknown, tries: number, random: number): number | undefined {
  return error instanceof VendorUnavailable && neverConnected(error.cause) ? backoffMs(tries, random) : undefined
}

function backoffMs(tries: number, random: number): number {
  const fullMs = BACKOFF_MS * 2 ** (tries - 1)
  return fullMs / 2 + (random * fullMs) / 2
}

/** How Node.js and its fetch say that no connection came about. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ("code" in error && typeof error.code === "string" && NOT_CONNECTED.has(error.code)) return true
  return neverConnected(error.cause)
}

import { RateLimited, VendorUnavailable } from "../contract/errors.ts"

/** What a retry needs from outside. */
export interface RetryTools {
  readonly delay: (delayMs: number) => Promise<void>
  /** In [0, 1). */
  readonly random: () => number
}

/** Total tries of one call. */
const MAX_TRIES = 3
/** Longest wait that is waited here, seconds. The caller schedules a longer one. */
const LONGEST_PATIENCE_SECONDS = 5
/** Pause before the second try, milliseconds. It doubles before the third. */
const BACKOFF_MS = 400
/** Up to this is added to a wait that the vendor names, so that waiting calls do not all return at once, milliseconds. */
const SPREAD_MS = 1000

/** Tries up to 3 times, as long as `pauseMs` returns a pause. Throws the last error. */
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

/** Returns the pause before a read-only call is repeated, milliseconds. Undefined when it should not be repeated now. */
export function pauseBeforeRepeat(error: unknown, tries: number, random: number): number | undefined {
  if (!(error instanceof RateLimited || error instanceof VendorUnavailable)) return undefined
  if (error instanceof VendorUnavailable && error.isTooSlow) return undefined
  if (error.retryAfterSeconds === undefined) return backoffMs(tries, random)
  if (error.retryAfterSeconds > LONGEST_PATIENCE_SECONDS) return undefined
  return error.retryAfterSeconds * 1000 + random * SPREAD_MS
}

/**
 * Returns the pause before a call that must not arrive twice is repeated, milliseconds. It is repeated only when no connection
 * was made, so nothing was sent. After a timeout or a 5xx the vendor may have acted.
 */
export function pauseIfNeverSent(error: unknown, tries: number, random: number): number | undefined {
  return error instanceof VendorUnavailable && neverConnected(error.cause) ? backoffMs(tries, random) : undefined
}

function backoffMs(tries: number, random: number): number {
  const fullMs = BACKOFF_MS * 2 ** (tries - 1)
  return fullMs / 2 + (random * fullMs) / 2
}

/** Error codes of Node.js and its fetch for a connection that was not made. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ("code" in error && typeof error.code === "string" && NOT_CONNECTED.has(error.code)) return true
  return neverConnected(error.cause)
}

/** The limits in the headers of a vendor's answer. */
export interface LimitHeaders {
  /** Calls left in the window that ends first. */
  readonly remaining?: number
  /** Seconds until that window resets. */
  readonly resetSeconds?: number
}

/** Returns a header as a whole number, 0 to `max`. Undefined for anything else. */
export function wholeNumberHeader(headers: Headers, name: string, max: number): number | undefined {
  const text = headers.get(name)?.trim() ?? ""
  if (!/^\d{1,15}$/.test(text)) return undefined
  const number = Number(text)
  return number <= max ? number : undefined
}

/** One day. Longer waits are ignored: no vendor's window is longer, and a mistake would stop all syncs. */
export const LONGEST_WAIT_SECONDS = 86_400

/**
 * Returns the seconds that an answer asks to wait, 0 to a day, or undefined. @see RFC 9110, 10.2.3
 * A date is compared with the answer's own `Date`, because both come from one clock.
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? ""
  const seconds = isDate(text)
    ? (Date.parse(text) - Date.parse(headers.get("date") ?? "")) / 1000
    : // Some write fractions of a second.
      Number(/^\d{1,15}(?:\.\d{1,15})?$/.exec(text)?.[0])
  return seconds <= LONGEST_WAIT_SECONDS ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** A date names its weekday or month. Anything else would be parsed as a year. */
const isDate = (text: string): boolean => /^[a-z]/i.test(text)

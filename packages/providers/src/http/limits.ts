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
  const seconds = wholeNumberHeader(headers, "retry-after", LONGEST_WAIT_SECONDS)
  if (seconds !== undefined) return seconds
  const untilMs = Date.parse(headers.get("retry-after") ?? "") - Date.parse(headers.get("date") ?? "")
  if (Number.isNaN(untilMs) || untilMs > LONGEST_WAIT_SECONDS * 1000) return undefined
  return Math.max(0, Math.ceil(untilMs / 1000))
}

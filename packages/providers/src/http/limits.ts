/** What a vendor says of its limits in the headers of an answer. */
export interface LimitHeaders {
  /** Calls left in the window nearest to its end. */
  readonly remaining?: number
  /** Seconds until that window resets. */
  readonly resetSeconds?: number
}

/** Returns a header of digits as a whole number, 0 to `max`; undefined where it is absent or anything else. */
export function wholeNumberHeader(headers: Headers, name: string, max: number): number | undefined {
  const text = headers.get(name)?.trim() ?? ""
  if (!/^\d{1,15}$/.test(text)) return undefined
  const number = Number(text)
  return number <= max ? number : undefined
}

/** A day. A longer wait is not believed: no vendor's window is longer, and a mistake would stop all syncs. */
export const LONGEST_WAIT_SECONDS = 86_400

/**
 * Returns the seconds an answer asks to wait, 0 to a day; undefined where it does not say. @see RFC 9110, 10.2.3
 * A date is held against the answer's own `Date`, not against a clock here: the two come from one server and agree.
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const seconds = wholeNumberHeader(headers, "retry-after", LONGEST_WAIT_SECONDS)
  if (seconds !== undefined) return seconds
  const untilMs = Date.parse(headers.get("retry-after") ?? "") - Date.parse(headers.get("date") ?? "")
  if (Number.isNaN(untilMs) || untilMs > LONGEST_WAIT_SECONDS * 1000) return undefined
  return Math.max(0, Math.ceil(untilMs / 1000))
}

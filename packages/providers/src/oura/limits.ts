import { type LimitHeaders, LONGEST_WAIT_SECONDS, wholeNumberHeader } from "../http/limits.ts"
import { known } from "../normalize/known.ts"

/** Oura's window: five minutes. */
export const WINDOW_SECONDS = 300

/**
 * Returns Oura's limits. Only a 429 has headers, and `Retry-After` says how long. `X-RateLimit-Reset` is an instant, and the clocks of
 * the two sides may differ, so the length of the window stands for it.
 */
export function readOuraLimits(headers: Headers): LimitHeaders {
  return known({ resetSeconds: wholeNumberHeader(headers, "x-ratelimit-window", LONGEST_WAIT_SECONDS) })
}

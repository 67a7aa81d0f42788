import { type LimitHeaders, LONGEST_WAIT_SECONDS, wholeNumberHeader } from "../http/limits.ts"
import { known } from "../normalize/known.ts"

/** WHOOP's shortest window. @see https://developer.whoop.com/docs/developing/rate-limiting */
export const WINDOW_SECONDS = 60
const MOST_CALLS_A_DAY = 10_000_000

/** Returns WHOOP's limits of the window that ends first. The reset is in seconds from now. */
export function readWhoopLimits(headers: Headers): LimitHeaders {
  return known({
    remaining: wholeNumberHeader(headers, "x-ratelimit-remaining", MOST_CALLS_A_DAY),
    resetSeconds: wholeNumberHeader(headers, "x-ratelimit-reset", LONGEST_WAIT_SECONDS),
  })
}

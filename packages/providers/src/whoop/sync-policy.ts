import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { SyncPolicy } from "../contract/sync-policy.ts"
import { type LimitHeaders, LONGEST_WAIT_SECONDS, wholeNumberHeader } from "../http/retry.ts"
import { known } from "../normalize/known.ts"

/** How WHOOP is read. @see https://developer.whoop.com/docs/developing/webhooks and /rate-limiting */
export const WHOOP_SYNC_POLICY: SyncPolicy = {
  listing: {
    // Ten days fit on one page of each kind. WHOOP still scores them and people still edit them.
    trailingDays: 10,
    // One listing takes four calls.
    pollEveryMs: HOUR_MS,
    // The night's event starts the daily listing.
    maxAgeAtSleepEventMs: 6 * HOUR_MS,
    // Without a sleep event, the first workout of the next day starts it.
    maxAgeAtEventMs: 16 * HOUR_MS,
    // Nobody has a night every day. A day, and an hour for those who sleep longer than yesterday: their night's event starts it.
    maxAgeMs: 25 * HOUR_MS,
  },
  events: {
    // Everyone sleeps once in 30 hours.
    silenceMs: 30 * HOUR_MS,
    // With many users some event arrives within two hours.
    silenceOfAllMs: 2 * HOUR_MS,
    // More events than this take fewer calls as a listing.
    maxSingleReads: 8,
    // What a listing of the last minute lacks is read by id.
    minListingAgeMs: MINUTE_MS,
    // WHOOP announces a new workout twice: on arrival, and with its score minutes later. One read serves both.
    firstReadDelayMs: { workout: 3 * MINUTE_MS },
  },
  // No event announces a cycle.
  openRecords: {
    kind: "cycle",
    // The open cycle is younger than this, unless the strap was not worn.
    startedWithinMs: 48 * HOUR_MS,
    // This is in the evening for most people.
    pollAfterListingMs: 14 * HOUR_MS,
    // An event's read includes the cycle.
    skipPollAfterReadMs: 6 * HOUR_MS,
    // A sleep starts and ends cycles, and a workout adds strain to one.
    changedBy: ["sleep", "workout"],
    // Cycles that touch a sleep or workout lie within this.
    reachMs: 36 * HOUR_MS,
  },
  scores: {
    // WHOOP scores within half an hour and sends an event.
    checkAfterMs: 2 * HOUR_MS,
    // A later score comes with an event.
    giveUpAfterMs: 2 * DAY_MS,
  },
  reconciliation: {
    // Late edits and deletions that no recent listing shows.
    days: 90,
    // The first one is due after a day, because lists shift while the history is paged.
    intervalMs: DAY_MS,
    // Events announce most late changes.
    intervalWithEventsMs: 30 * DAY_MS,
  },
  // Few enough calls for one minute's budget.
  history: { windowDays: 90 },
  // WHOOP's API has no samples.
  samples: null,
  // Names and measurements change rarely.
  profile: { maxAgeMs: 30 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    of: "app",
    // WHOOP's limits for one app.
    perMinute: 100,
    perDay: 10_000,
    // A reconciliation fits into the minute. A day without webhooks fits into the day, and a first sync into half of it.
    leastShare: { perMinute: 20, perDay: 120 },
  },
}

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

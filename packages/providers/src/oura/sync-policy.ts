import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { SyncPolicy } from "../contract/sync-policy.ts"
import { type LimitHeaders, LONGEST_WAIT_SECONDS, wholeNumberHeader } from "../http/retry.ts"
import { known } from "../normalize/known.ts"

/**
 * How Oura is read. A listing takes ten calls: records are joined from six collections, and tags are listed. Heart rates take one call for
 * each thousand, which is most of a day.
 */
export const OURA_SYNC_POLICY: SyncPolicy = {
  listing: {
    // A ring keeps data for a week, and sends it when the app is opened.
    trailingDays: 10,
    // The night arrives whenever the person opens the app.
    pollEveryMs: 30 * MINUTE_MS,
    // The night's event starts the daily listing.
    maxAgeAtSleepEventMs: 6 * HOUR_MS,
    // The activity of the next day starts it without a sleep event.
    maxAgeAtEventMs: 16 * HOUR_MS,
    // People who do not open the app still get one listing a day.
    maxAgeMs: DAY_MS,
  },
  events: {
    // The ring syncs its activity several times a day, unless it is not worn.
    silenceMs: 30 * HOUR_MS,
    // With many users some event arrives within two hours.
    silenceOfAllMs: 2 * HOUR_MS,
    // One read takes up to five calls, and a morning brings five events.
    maxSingleReads: 5,
    // What a listing of the last minute lacks is read by id.
    minListingAgeMs: MINUTE_MS,
    // Events of one sync of the app arrive together. Waiting lets one read serve the sleep and its score.
    firstReadDelayMs: { sleep: MINUTE_MS, recovery: MINUTE_MS, cycle: MINUTE_MS },
  },
  // The event of an activity day names no other, and the day before ends with the start of this one.
  openRecords: {
    kind: "cycle",
    // The day that goes on, and the one before.
    startedWithinMs: 2 * DAY_MS,
    // This is in the evening for most people. It takes one call.
    pollAfterListingMs: 14 * HOUR_MS,
    // An event of the day has just been read.
    skipPollAfterReadMs: 6 * HOUR_MS,
    changedBy: ["cycle"],
    // The day before, which may be longer.
    reachMs: 36 * HOUR_MS,
  },
  scores: {
    // A score comes with the sleep, or minutes later.
    checkAfterMs: 2 * HOUR_MS,
    // A score that is missing after the day does not come.
    giveUpAfterMs: 2 * DAY_MS,
  },
  reconciliation: {
    // Late edits and deletions that no recent listing shows.
    days: 90,
    intervalMs: DAY_MS,
    // Events announce most late changes.
    intervalWithEventsMs: 30 * DAY_MS,
  },
  // Ten lists of 90 days, each on a few pages.
  history: { windowDays: 90 },
  samples: {
    since: null,
    // A ring keeps data for a week.
    trailingDays: 10,
    // The ring measures a workout again after its end.
    overlapMs: 12 * HOUR_MS,
    // Oura refuses more. Thirty days take about 37 calls.
    windowDays: 30,
    reconciledDays: 90,
  },
  // Measurements change rarely.
  profile: { maxAgeMs: 30 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    of: "app",
    // 5,000 in five minutes, by the last number that Oura published.
    perMinute: 1000,
    perDay: 1_440_000,
    // A reconciliation fits into the minute. A day without webhooks fits into the day, and a first sync into half of it.
    leastShare: { perMinute: 60, perDay: 600 },
  },
}

/** Oura's window: five minutes. */
export const WINDOW_SECONDS = 300

/**
 * Returns Oura's limits. Only a 429 has headers, and `Retry-After` says how long. `X-RateLimit-Reset` is an instant, and the clocks of
 * the two sides may differ, so the length of the window stands for it.
 */
export function readOuraLimits(headers: Headers): LimitHeaders {
  return known({ resetSeconds: wholeNumberHeader(headers, "x-ratelimit-window", LONGEST_WAIT_SECONDS) })
}

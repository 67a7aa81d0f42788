import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { NO_EVENTS, SINCE_EVER, type SyncPolicy } from "../contract/sync-policy.ts"

/**
 * How intervals.icu is read: hourly, because it sends webhooks to apps alone and not to people with a key. A listing takes seven calls: each
 * kind of day is asked for with the person's time zone, and so are weights.
 */
export const INTERVALS_SYNC_POLICY: SyncPolicy = {
  listing: {
    // Watches sync late, another source overwrites a day, and only a list tells that an activity was deleted.
    trailingDays: 30,
    pollEveryMs: HOUR_MS,
    maxAgeAtSleepEventMs: HOUR_MS,
    maxAgeAtEventMs: HOUR_MS,
    maxAgeMs: DAY_MS,
  },
  events: NO_EVENTS,
  openRecords: null,
  // Nothing waits for a score.
  scores: { checkAfterMs: DAY_MS, giveUpAfterMs: DAY_MS },
  reconciliation: { days: 90, intervalMs: DAY_MS, intervalWithEventsMs: DAY_MS },
  // Lists have no pages.
  // Garmin and others hand over the past of a person in the hours and days after the account was made.
  history: { isFilledLater: true, windowDays: 120 },
  samples: {
    since: SINCE_EVER,
    trailingDays: 30,
    // A weight that is taken back goes, also after newer ones.
    overlapMs: 30 * DAY_MS,
    // A weight a day: ten years are a list for each half year.
    windowDays: 10 * 366,
    reconciledDays: 90,
  },
  profile: { maxAgeMs: 7 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    of: "key",
    // 2,500 in a quarter of an hour, and 5,000 a day.
    perMinute: 160,
    perDay: 5_000,
    // Nobody shares a key.
    leastShare: { perMinute: 160, perDay: 5_000 },
  },
}

/** The shorter of its two windows: a quarter of an hour. */
export const WINDOW_SECONDS = 900

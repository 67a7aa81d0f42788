import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { NO_EVENTS, SINCE_EVER, type SyncPolicy } from "../contract/sync-policy.ts"

/**
 * How Withings is read: every half hour. A listing reads the newest days and what was changed since, whenever that was, with one call for
 * the values within each night. Its notifications are subscribed for each person, name no record, and are not signed.
 */
export const WITHINGS_SYNC_POLICY: SyncPolicy = {
  listing: {
    // Late changes come by the time of their change. Each night more takes a call.
    trailingDays: 2,
    pollEveryMs: 30 * MINUTE_MS,
    maxAgeAtSleepEventMs: 30 * MINUTE_MS,
    maxAgeAtEventMs: 30 * MINUTE_MS,
    maxAgeMs: DAY_MS,
  },
  events: NO_EVENTS,
  openRecords: null,
  // A night is complete an hour after its end.
  scores: { checkAfterMs: HOUR_MS, giveUpAfterMs: 2 * DAY_MS },
  // Only a list tells that something was deleted.
  reconciliation: { days: 30, intervalMs: DAY_MS, intervalWithEventsMs: DAY_MS },
  // A call for each night, and some lists.
  history: { windowDays: 30 },
  samples: {
    since: SINCE_EVER,
    trailingDays: 30,
    // A weight that somebody else claims goes, also after newer ones.
    overlapMs: 30 * DAY_MS,
    // Pages of measures: those of three years fit into the calls of a minute.
    windowDays: 3 * 366,
    reconciledDays: 90,
  },
  profile: { maxAgeMs: 30 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    of: "app",
    // Withings' limit for one app. It names none for a day.
    perMinute: 120,
    perDay: 172_800,
    // A reconciliation fits into the minute. A day fits into the day, and a first sync into half of it.
    leastShare: { perMinute: 60, perDay: 1_500 },
  },
}

/** After a refusal for too many calls. */
export const WINDOW_SECONDS = 60

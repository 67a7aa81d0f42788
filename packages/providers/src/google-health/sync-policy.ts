import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { NO_EVENTS, SINCE_EVER, type SyncPolicy } from "../contract/sync-policy.ts"

/**
 * How Google Health is read: every half hour. Its webhooks need a service account beside the app, so nothing relies on them. A listing takes
 * thirteen calls: records are joined of eleven types, and days are of the person's time zone.
 */
export const GOOGLE_HEALTH_SYNC_POLICY: SyncPolicy = {
  listing: {
    // Stages come up to three days after their night.
    trailingDays: 4,
    pollEveryMs: 30 * MINUTE_MS,
    maxAgeAtSleepEventMs: HOUR_MS,
    maxAgeAtEventMs: HOUR_MS,
    maxAgeMs: DAY_MS,
  },
  events: NO_EVENTS,
  openRecords: null,
  scores: {
    // Every look lists the nights that wait for their stages.
    checkAfterMs: 30 * MINUTE_MS,
    giveUpAfterMs: 3 * DAY_MS,
  },
  // Sleeps and workouts are edited up to 60 days later, and only a list tells that one was deleted.
  reconciliation: { days: 90, intervalMs: DAY_MS, intervalWithEventsMs: DAY_MS },
  // Six ranges of total-calories, which has at most 14 days in one.
  // A Fitbit account may be moved to Google after it was connected.
  history: { isFilledLater: true, windowDays: 84 },
  samples: {
    since: SINCE_EVER,
    trailingDays: 14,
    // A weight that is taken back goes, also after newer ones.
    overlapMs: 2 * DAY_MS,
    // A weight a day: ten years are one list of a few pages.
    windowDays: 10 * 366,
    reconciledDays: 84,
  },
  profile: { maxAgeMs: 30 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    // Google limits each person of an app by itself.
    of: "key",
    // 300 a minute, of an app that is not verified 2.5 a second. There is no limit of a day.
    isSpaced: true,
    perMinute: 150,
    perDay: 216_000,
    leastShare: { perMinute: 150, perDay: 216_000 },
  },
}

/** Google's window. A 429 has no header that tells it. */
export const WINDOW_SECONDS = 60

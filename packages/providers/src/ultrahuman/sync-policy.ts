import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { NO_EVENTS, type SyncPolicy } from "../contract/sync-policy.ts"

/** A history ends where this many days in a row have nothing: the days of an empty window, and those that are looked through before it. */
const EMPTY_DAYS = 60
const HISTORY_DAYS = 30
/** Days that are looked through before a window of the history that is empty. */
export const LOOKED_THROUGH_DAYS = EMPTY_DAYS - HISTORY_DAYS
/** Nobody's history is read further back. */
export const HISTORY_YEARS = 3

/**
 * How Ultrahuman is read: hourly, because it sends no webhooks. A call has one date, with everything of it, so a listing takes four or five
 * calls, one of them for what is carried over from the day before, and values within the day two or three more.
 */
export const ULTRAHUMAN_SYNC_POLICY: SyncPolicy = {
  listing: {
    // Today and the two days before it: a night comes once the phone has synced.
    trailingDays: 2,
    pollEveryMs: HOUR_MS,
    maxAgeAtSleepEventMs: HOUR_MS,
    maxAgeAtEventMs: HOUR_MS,
    maxAgeMs: DAY_MS,
  },
  events: NO_EVENTS,
  openRecords: null,
  // Nothing waits for a score: a night without one is not there yet.
  scores: { checkAfterMs: DAY_MS, giveUpAfterMs: DAY_MS },
  // Edits and deletions have no signal.
  reconciliation: { days: 14, intervalMs: DAY_MS, intervalWithEventsMs: DAY_MS },
  history: { windowDays: HISTORY_DAYS },
  samples: {
    since: null,
    trailingDays: 2,
    overlapMs: 6 * HOUR_MS,
    windowDays: HISTORY_DAYS,
    reconciledDays: 0,
  },
  profile: { maxAgeMs: 30 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    of: "key",
    // No limit is documented: one call a second.
    isSpaced: true,
    perMinute: 60,
    perDay: 5_000,
    // Nobody shares a token.
    leastShare: { perMinute: 60, perDay: 5_000 },
  },
}

/** The wait after a 429 that names none. */
export const WINDOW_SECONDS = 60

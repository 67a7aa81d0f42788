import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { SyncPolicy } from "../contract/sync-policy.ts"
import type { LimitHeaders } from "../http/retry.ts"
import { LONGEST_WAIT_SECONDS } from "../http/retry.ts"
import { known } from "../normalize/known.ts"

/**
 * How Polar is read: hourly, or as its webhooks announce. A listing takes six calls: a recovery is made of two lists, and a day needs the
 * nights for its time zone. The records of a webhook take one to three.
 */
export const POLAR_SYNC_POLICY: SyncPolicy = {
  listing: {
    // A watch is synchronised days later, and the row of a night is written again.
    trailingDays: 7,
    pollEveryMs: HOUR_MS,
    maxAgeAtSleepEventMs: 6 * HOUR_MS,
    maxAgeAtEventMs: 6 * HOUR_MS,
    // No webhook announces a recharge that comes later than its night, or a temperature.
    maxAgeMs: 6 * HOUR_MS,
  },
  events: {
    // A watch sends its activity several times a day, unless it is not worn.
    silenceMs: 30 * HOUR_MS,
    // With many users some event arrives within two hours.
    silenceOfAllMs: 2 * HOUR_MS,
    // A listing takes as many calls as two or three of them.
    maxSingleReads: 5,
    minListingAgeMs: MINUTE_MS,
    firstReadDelayMs: {},
  },
  openRecords: null,
  scores: { checkAfterMs: 2 * HOUR_MS, giveUpAfterMs: 2 * DAY_MS },
  // Nothing tells of an edit or a deletion. Older nights are served no more.
  reconciliation: { days: 26, intervalMs: DAY_MS, intervalWithEventsMs: DAY_MS },
  // With the edges of time zones, the longest range of one call.
  history: { windowDays: 25 },
  samples: null,
  profile: { maxAgeMs: 7 * DAY_MS, maxAgeOnRequestMs: DAY_MS },
  calls: {
    of: "app",
    // 520 in a quarter of an hour and 5,100 a day, with one person. Each more adds 20 and 100.
    perMinute: 34,
    perDay: 5_000,
    // A listing fits into the minute. A day without webhooks takes 145.
    leastShare: { perMinute: 10, perDay: 200 },
  },
}

/** The shorter of its two windows: a quarter of an hour. */
export const WINDOW_SECONDS = 900

/** Returns Polar's limits. Each header has two numbers, of a quarter of an hour and of a day: the one with fewer calls left counts. */
export function readPolarLimits(headers: Headers): LimitHeaders {
  const [limits, usages, resets] = ["ratelimit-limit", "ratelimit-usage", "ratelimit-reset"].map((name) =>
    pairOf(headers.get(name)),
  )
  const windows = [0, 1].flatMap((index) => {
    const [limit, usage, resetSeconds] = [limits?.[index], usages?.[index], resets?.[index]]
    if (limit === undefined || usage === undefined || resetSeconds === undefined) return []
    return resetSeconds <= LONGEST_WAIT_SECONDS ? [{ remaining: Math.max(0, limit - usage), resetSeconds }] : []
  })
  const [scarce] = windows.toSorted((one, other) => one.remaining - other.remaining)
  return known({ remaining: scarce?.remaining, resetSeconds: scarce?.resetSeconds })
}

function pairOf(header: string | null): readonly [number, number] | undefined {
  const [, short, long] = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(header ?? "") ?? []
  return short === undefined || long === undefined ? undefined : [Number(short), Number(long)]
}

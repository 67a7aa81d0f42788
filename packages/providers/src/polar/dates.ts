// Calendar dates, YYYY-MM-DD, and how far back Polar serves them. https://www.polar.com/accesslink-api/
import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"

/** Returns the midnight that begins a date, where clocks are this far ahead of UTC. */
export const midnightMs = (date: string, utcOffsetMinutes: number): number =>
  Date.parse(`${date}T00:00:00Z`) - utcOffsetMinutes * MINUTE_MS

/** Dates, both included. */
export interface DateRange {
  readonly first: string
  readonly last: string
}

/** Nights and what belongs to them: 28 dates. */
export const NIGHT_DAYS = 28
/** Exercises: 30 days after they were uploaded, or longer if the watch was late. The shorter span is certain. */
export const EXERCISE_DAYS = 28
/** Days of activity. */
export const ACTIVITY_DAYS = 365
/** Longest range of one call. */
export const LONGEST_RANGE_DAYS = 28

/** Returns the instant from which on Polar certainly serves a kind: its days are those of the person's calendar, a day from ours at most. */
export const servedFrom = (days: number, now: Date): Date => new Date(now.getTime() - (days - 2) * DAY_MS)

/** Returns whether Polar serves nothing of a kind that began before this instant. */
export const isTooOld = (to: Date, days: number, now: Date): boolean =>
  to.getTime() < now.getTime() - (days + 2) * DAY_MS

/** The zone that is furthest ahead. */
const FURTHEST_AHEAD_MS = 14 * HOUR_MS

/** Returns the latest date that anybody has now. */
export const latestDate = (now: Date): string => utcDateOf(new Date(now.getTime() + FURTHEST_AHEAD_MS))

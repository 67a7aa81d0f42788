import type { Weekday } from "@restwell/client/calendar-dates"
import { sumOf } from "./moments.ts"
import { type DayValue, type Series, valuesOf, weekdayOf } from "./series.ts"

// Times of day are angles: 23:50 and 00:10 are twenty minutes apart, and their mean is midnight.
// Fisher 1993, Statistical Analysis of Circular Data, chapter 2.

export const MINUTES_PER_DAY = 1440
const RADIANS_PER_MINUTE = (2 * Math.PI) / MINUTES_PER_DAY
/** Below this length the resultant is calculation noise: the times point nowhere. */
const NO_LENGTH = 1e-9

/** A time of day, minutes from 0 to below 1440. */
export const wrap = (minutes: number): number => ((minutes % MINUTES_PER_DAY) + MINUTES_PER_DAY) % MINUTES_PER_DAY

/** Mean direction, and the length R of the mean resultant: 1 for equal times, 0 for times all around the clock. */
function resultantOf(minutes: readonly number[]): { readonly direction: number; readonly length: number } {
  const angles = minutes.map((minute) => minute * RADIANS_PER_MINUTE)
  const [sumCos, sumSin] = [sumOf(angles.map(Math.cos)), sumOf(angles.map(Math.sin))]
  const length = Math.hypot(sumCos, sumSin) / minutes.length
  return { direction: Math.atan2(sumSin, sumCos) / RADIANS_PER_MINUTE, length }
}

/** The circular mean, minutes from 0 to below 1440. @param minutes times of day, at least one */
export const circularMean = (minutes: readonly number[]): number => wrap(resultantOf(minutes).direction)

/** Circular standard deviation, minutes. Null for fewer than two times, and for times all around the clock. */
export function circularDeviation(minutes: readonly number[]): number | null {
  const { length } = resultantOf(minutes)
  if (minutes.length < 2 || length < NO_LENGTH) return null
  // Rounding can make R a little larger than 1, and the square root of a negative number is none.
  return Math.sqrt(Math.max(0, -2 * Math.log(length))) / RADIANS_PER_MINUTE
}

/** A clock time as minutes on a line, the shortest way from the centre: within 720 of it. */
export const unwrap = (minutes: number, centre: number): number =>
  centre + wrap(minutes - centre + MINUTES_PER_DAY / 2) - MINUTES_PER_DAY / 2

/** Numbers and yes or no (1 or 0) are on a line. Clock times are on a circle. */
export type ValueKind = "number" | "clock" | "yes_no"

/**
 * Returns how values of a kind are laid on a line, which tests need: clock times around their circular mean, all others as they are.
 * @param around the values around whose mean a clock is opened
 */
export function lineFor(kind: ValueKind, around: Series): (series: Series) => Series {
  if (kind !== "clock" || around.length === 0) return (series) => series
  const centre = circularMean(valuesOf(around))
  return (series) => series.map(({ day, value }): DayValue => ({ day, value: unwrap(value, centre) }))
}

/** The series on a line, opened around its own mean. */
export const onLine = (kind: ValueKind, series: Series): Series => lineFor(kind, series)(series)

/** A value of the line as one of its kind: a clock time is within the day again. */
export const placed = (kind: ValueKind, value: number): number => (kind === "clock" ? wrap(value) : value)

const FEWEST_PAIRS = 7
const NOON = MINUTES_PER_DAY / 2

/** A sleep in minutes of the local clock since 1970-01-01T00:00. The end is not included. */
export interface SleepTime {
  readonly start: number
  readonly end: number
}

/**
 * Sleep Regularity Index: the part of minutes with the same state, asleep or awake, 24 hours apart, times 200, minus 100. A day reaches from
 * noon to noon, so that a night is in one day: the date of waking. The state of a minute is that at its beginning. Null with fewer than 7 pairs of neighbouring days.
 * @see Phillips et al. 2017, Scientific Reports 7:3216
 * @param sleeps nights and naps
 * @param days of waking that have a night on record. Minutes of all others do not count.
 */
export function regularityIndex(sleeps: readonly SleepTime[], days: Iterable<number>): number | null {
  const states = new Map([...days].map((day) => [day, new Uint8Array(MINUTES_PER_DAY)]))
  for (const sleep of sleeps) markAsleep(states, sleep)
  let [pairs, different] = [0, 0]
  for (const [day, minutes] of states) {
    const next = states.get(day + 1)
    if (!next) continue
    pairs += 1
    different += countDifferent(minutes, next)
  }
  return pairs < FEWEST_PAIRS ? null : (1 - different / (pairs * MINUTES_PER_DAY)) * 200 - 100
}

function markAsleep(states: ReadonlyMap<number, Uint8Array>, { start, end }: SleepTime): void {
  const last = Math.ceil(end) + NOON
  for (let minute = Math.ceil(start) + NOON; minute < last; ) {
    const day = Math.floor(minute / MINUTES_PER_DAY)
    const midnight = day * MINUTES_PER_DAY
    const until = Math.min(last, midnight + MINUTES_PER_DAY)
    states.get(day)?.fill(1, minute - midnight, until - midnight)
    minute = until
  }
}

function countDifferent(one: Uint8Array, other: Uint8Array): number {
  let different = 0
  for (let minute = 0; minute < MINUTES_PER_DAY; minute += 1) if (one[minute] !== other[minute]) different += 1
  return different
}

/**
 * Sleep midpoint on days off minus that on working days, minutes, the shortest way around the clock. Null without one of the two.
 * @see Wittmann et al. 2006, Chronobiology International 23:497
 * @param midsleep minutes of the day, by date of waking
 */
export function socialJetlag(midsleep: Series, daysOff: readonly Weekday[]): number | null {
  const [off, working] = [true, false].map((isOff) =>
    valuesOf(midsleep.filter(({ day }) => daysOff.includes(weekdayOf(day)) === isOff)),
  )
  if (!off || !working || off.length === 0 || working.length === 0) return null
  return unwrap(circularMean(off) - circularMean(working), 0)
}

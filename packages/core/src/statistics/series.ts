import type { HrvMethod } from "@restwell/client"
import { utcDateOf, WEEKDAYS, type Weekday } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import type { DateRange } from "../base/calendar.ts"

// Dates as whole numbers: days since 1970-01-01. Neighbours and gaps are plain subtraction then.

const DAYS_PER_WEEK = 7
/** 1970-01-01 was a Thursday, the fourth day of its ISO week. */
const THURSDAY = 3

/** The day number of a date, YYYY-MM-DD. */
export const dayOf = (date: string): number => Date.parse(date) / DAY_MS

/** The date of a day number, YYYY-MM-DD. */
export const dateOf = (day: number): string => utcDateOf(new Date(day * DAY_MS))

/** 0 for Monday to 6 for Sunday. */
export const weekdayIndex = (day: number): number =>
  (((day + THURSDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK

export const weekdayOf = (day: number): Weekday => WEEKDAYS[weekdayIndex(day)] ?? "monday"

/** Whether a date is one of the days off. */
export const weekendOf = (day: number, daysOff: readonly Weekday[]): "weekend" | "working_day" =>
  daysOff.includes(weekdayOf(day)) ? "weekend" : "working_day"

/** The Thursday of the day's ISO week. It names the week, because its year is the week's year. */
export const thursdayOf = (day: number): number => day - weekdayIndex(day) + THURSDAY

/** ISO 8601 week, as in 2026-W47. */
export function isoWeekOf(day: number): string {
  const thursday = thursdayOf(day)
  const year = dateOf(thursday).slice(0, 4)
  const week = Math.floor((thursday - dayOf(`${year}-01-01`)) / DAYS_PER_WEEK) + 1
  return `${year}-W${String(week).padStart(2, "0")}`
}

/** Month, as in 2026-11. */
export const monthOf = (day: number): string => dateOf(day).slice(0, 7)

/** One value of one local date. Clock times are minutes of the day, or minutes unwrapped around a mean. */
export interface DayValue {
  readonly day: number
  readonly value: number
}

/** Oldest first, one value a day at most. Days without a value are missing: they have no entry, no zero and no guess. */
export type Series = readonly DayValue[]

export interface DatedValue {
  readonly date: string
  readonly value: number
}

export const valuesOf = (series: Series): number[] => series.map(({ value }) => value)

/** The days from `first` to `last`, both included. */
export function between(series: Series, first: number, last: number): Series {
  const start = series.findIndex(({ day }) => day >= first)
  return start < 0 ? [] : series.slice(start, series.findLastIndex(({ day }) => day <= last) + 1)
}

export const inRange = (series: Series, { from, to }: DateRange): Series => between(series, dayOf(from), dayOf(to))

/**
 * Dates of a period without a value, of those between the metric's first and last value.
 * @param history all values of the metric, also beyond the period
 */
export function countMissing(history: Series, { from, to }: DateRange): number {
  const [first, last] = [history[0], history.at(-1)]
  if (!first || !last) return 0
  const [start, end] = [Math.max(first.day, dayOf(from)), Math.min(last.day, dayOf(to))]
  return Math.max(0, end - start + 1) - between(history, start, end).length
}

/** A value, and the source and the method that it is of. */
export interface SourcedValue extends DayValue {
  readonly source: string
  /** Null where all sources use one method. */
  readonly method: HrvMethod | null
  /** Of a night or HRV of a source that collects for several devices, where it names one. */
  readonly device?: string
}

/** Older values that a change of source or of method cuts off. */
export interface LeftOut {
  readonly source: string
  readonly method: HrvMethod | null
  readonly from: string
  readonly to: string
  readonly n: number
}

/**
 * Returns the values between two changes of source or method that a period is about, and what lies before them, newest first: those of the
 * newest part that begins before the period's end. A later change hides no values of an earlier period.
 * @param values oldest first
 * @param last of the period. Before all values, the newest part counts.
 */
export function partOf(
  values: readonly SourcedValue[],
  last: number,
): { part: readonly SourcedValue[]; leftOut: LeftOut[] } {
  const starts: number[] = []
  values.forEach((value, index) => {
    if (!isOfPart(value, values[index - 1])) starts.push(index)
  })
  const parts = starts.map((start, index) => values.slice(start, starts[index + 1]))
  const newest = parts.findLastIndex(([first]) => first !== undefined && first.day <= last)
  return { part: parts.at(newest) ?? [], leftOut: parts.slice(0, newest).toReversed().flatMap(leftOutOf) }
}

const isOfPart = ({ source, method }: SourcedValue, previous: SourcedValue | undefined): boolean =>
  previous?.source === source && previous.method === method

function leftOutOf(part: readonly SourcedValue[]): LeftOut[] {
  const [first, last] = [part[0], part.at(-1)]
  if (!first || !last) return []
  return [{ source: first.source, method: first.method, from: dateOf(first.day), to: dateOf(last.day), n: part.length }]
}

/** A value and its date, as answers list it. */
export const datedOf = ({ day, value }: DayValue): DatedValue => ({ date: dateOf(day), value })

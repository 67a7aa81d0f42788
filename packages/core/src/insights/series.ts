import type { DateRange } from "../calendar/date-range.ts"
import { dateOf, dayOf } from "./day.ts"

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
  const dayAt = (index: number): number => series[index]?.day ?? Number.POSITIVE_INFINITY
  return series.slice(firstFrom(series.length, dayAt, first), firstFrom(series.length, dayAt, last + 1))
}

/** The index of the first of some ascending days that is a day or a later one. */
export function firstFrom(length: number, dayAt: (index: number) => number, day: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (dayAt(middle) < day) low = middle + 1
    else high = middle
  }
  return low
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
  readonly method: string | null
}

/** Older values that a change of source or of method cuts off. */
export interface LeftOut {
  readonly source: string
  readonly method: string | null
  readonly from: string
  readonly to: string
  readonly n: number
}

/** Returns the values since the last change of source or method, and what lies before it, newest first. @param values oldest first */
export function newestPart(values: readonly SourcedValue[]): { part: readonly SourcedValue[]; leftOut: LeftOut[] } {
  const starts: number[] = []
  values.forEach((value, index) => {
    if (!isOfPart(value, values[index - 1])) starts.push(index)
  })
  const parts = starts.map((start, index) => values.slice(start, starts[index + 1]))
  return { part: parts.at(-1) ?? [], leftOut: parts.slice(0, -1).toReversed().flatMap(leftOutOf) }
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

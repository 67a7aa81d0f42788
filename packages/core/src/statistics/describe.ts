import type { Grouping } from "@restwell/client"
import { BASELINE_NIGHTS, MIN_BASELINE_NIGHTS } from "../base/calendar.ts"
import { circularDeviation, circularMean, onLine, placed, type ValueKind } from "./clock-times.ts"
import { ascending, meanOf, quantileOf, sampleDeviation } from "./moments.ts"
import { type DatedValue, datedOf, isoWeekOf, monthOf, type Series, valuesOf, WEEKDAYS, weekdayOf } from "./series.ts"

/** Figures of some values. Clock times: circular mean and spread, quantiles of the times around the mean. Null without values. */
export interface Description {
  readonly n: number
  readonly mean: number | null
  readonly median: number | null
  /** Null also for a single value. */
  readonly sd: number | null
  readonly p25: number | null
  readonly p75: number | null
}

export function describe(kind: ValueKind, series: Series): Description {
  const n = series.length
  if (n === 0) return { n, mean: null, median: null, sd: null, p25: null, p75: null }
  const sorted = ascending(valuesOf(onLine(kind, series)))
  const quantile = (share: number): number => placed(kind, quantileOf(sorted, share))
  const { mean, sd } = centreOf(kind, valuesOf(series))
  return { n, mean, median: quantile(0.5), sd, p25: quantile(0.25), p75: quantile(0.75) }
}

/** Mean and standard deviation. @param values at least one */
export const centreOf = (kind: ValueKind, values: readonly number[]): { mean: number; sd: number | null } =>
  kind === "clock"
    ? { mean: circularMean(values), sd: circularDeviation(values) }
    : { mean: meanOf(values), sd: sampleDeviation(values) }

export interface Extremes {
  readonly highest: readonly DatedValue[]
  readonly lowest: readonly DatedValue[]
}

/** Equal figures that were computed differ in their last digits. */
const PRECISION = 1e9

/** The `count` highest and lowest values, of equal ones the newest first. Of clock times the latest and earliest around their mean. */
export function extremesOf(kind: ValueKind, series: Series, count: number): Extremes {
  const line = onLine(kind, series)
  const first = (sign: 1 | -1): DatedValue[] =>
    line
      .toSorted((one, other) => Math.round(PRECISION * sign * (one.value - other.value)) || other.day - one.day)
      .slice(0, count)
      .map(({ day, value }) => datedOf({ day, value: placed(kind, value) }))
  return { highest: first(-1), lowest: first(1) }
}

/** The values of a week, a month or a weekday. */
export interface Group {
  /** 2026-W47, 2026-11 or monday. */
  readonly group: string
  readonly n: number
  readonly mean: number
  readonly sd: number | null
}

const NAMES: Readonly<Record<Grouping, (day: number) => string>> = {
  week: isoWeekOf,
  month: monthOf,
  weekday: weekdayOf,
}

/** The groups that have values: weeks and months oldest first, weekdays from Monday on. */
export function groupsOf(kind: ValueKind, series: Series, by: Grouping): Group[] {
  const groups = Map.groupBy(series, ({ day }) => NAMES[by](day))
  const names = by === "weekday" ? WEEKDAYS.filter((name) => groups.has(name)) : [...groups.keys()]
  return names.map((group) => {
    const values = valuesOf(groups.get(group) ?? [])
    return { group, n: values.length, ...centreOf(kind, values) }
  })
}

/** What is usual for a person: the values before one. */
export interface Usual {
  readonly mean: number
  readonly sd: number
  readonly n: number
}

/** Values that are usual for a person: the newest 30. */
export const USUAL_VALUES = BASELINE_NIGHTS

/** Mean and standard deviation of the 30 values before a day. Null with fewer than 5. @param history of any dates */
export const usualBefore = (kind: ValueKind, history: Series, day: number): Usual | null =>
  usualOf(kind, valuesOf(history.filter((value) => value.day < day)))

/** Mean and standard deviation of the last 30 values. Null with fewer than 5. @param values oldest first */
export function usualOf(kind: ValueKind, values: readonly number[]): Usual | null {
  const before = values.slice(-USUAL_VALUES)
  if (before.length < MIN_BASELINE_NIGHTS) return null
  const { mean, sd } = centreOf(kind, before)
  return sd === null ? null : { mean, sd, n: before.length }
}

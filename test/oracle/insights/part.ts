/* What a question is about: the values of one source. */

import { mean, sampleDeviation } from "./arithmetic.ts"
import { circularDeviation, circularMean, unwrapped } from "./clock.ts"
import { type DailyValue, dailyValues, type Life, valuesOfThoseWith } from "./daily-values.ts"
import { ClockFigure, type Expected, NumberFigure } from "./figure.ts"
import type { Metric } from "./metrics.ts"

export interface Days {
  readonly first: number
  readonly last: number
}

export const isWithin = ({ first, last }: Days, { day }: { readonly day: number }): boolean =>
  first <= day && day <= last

/** Each activity and each answer of a journal is of its own source. */
export const isOfAnySource = ({ from }: Metric): boolean => ["naps", "workouts", "journal", "sport"].includes(from)

const DECIDING_DATES = 28

/**
 * The values that a question is about. Activities and answers are of any source. Other metrics are of one source: the one that answers
 * most of the newest 28 dates of the question that have a value, of equal ones that of the newest date. Its own values count on all dates.
 * Where no answering source has a value, the sources that have one are asked alone.
 */
export function seriesOf(life: Life, metric: Metric, { only, days }: Asked): DailyValue[] {
  const chosen = dailyValues(life, metric, only)
  if (only !== undefined || isOfAnySource(metric)) return chosen
  const before = chosen.filter(({ day }) => day <= days.last)
  const within = before.filter(({ day }) => day >= days.first)
  const candidates =
    within.length > 0 ? within : valuesOfThoseWith(life, metric).filter((value) => isWithin(days, value))
  // Without a value in its dates, a question is about the dates before, and without any of these about all.
  const deciding = candidates.length > 0 ? candidates : before.length > 0 ? before : chosen
  const newest = deciding.slice(-DECIDING_DATES).reverse()
  const countOf = (name: string) => newest.filter(({ source }) => source === name).length
  const most = Math.max(...newest.map(({ source }) => countOf(source)))
  const current = newest.find(({ source }) => countOf(source) === most)
  return current ? dailyValues(life, metric, current.source) : []
}

interface Asked {
  /** The only source that is asked for. */
  readonly only: string | undefined
  readonly days: Days
}

/** Dates of the period without a value, between the metric's first and last value. */
export function missingIn(days: Days, part: readonly DailyValue[]): number {
  const first = Math.max(days.first, part[0]?.day ?? Number.POSITIVE_INFINITY)
  const last = Math.min(days.last, part.at(-1)?.day ?? Number.NEGATIVE_INFINITY)
  const present = new Set(part.map(({ day }) => day))
  let missing = 0
  for (let day = first; day <= last; day += 1) if (!present.has(day)) missing += 1
  return missing
}

/** Clock times as numbers on a line around their mean. Other values as they are. */
export function onALine(metric: Metric, values: readonly DailyValue[], middle?: number): DailyValue[] {
  if (metric.kind !== "clock") return [...values]
  const minutes = values.map(({ value }) => value)
  const line = unwrapped(minutes, middle ?? circularMean(minutes) ?? 0)
  return values.map((each, index) => ({ ...each, value: line[index] ?? 0 }))
}

export const meanOf = (metric: Metric, values: readonly number[]): number | null =>
  metric.kind === "clock" ? circularMean(values) : mean(values)

export const deviationOf = (metric: Metric, values: readonly number[]): number | null =>
  metric.kind === "clock" ? circularDeviation(values) : sampleDeviation(values)

/** A value or mean. */
export function figureOf(metric: Metric, value: number | null): Expected {
  if (value === null) return null
  return metric.kind === "clock" ? new ClockFigure(value) : new NumberFigure(value, metric.decimals)
}

/** A spread: minutes for clock times. */
export const spreadOf = (metric: Metric, value: number | null): Expected =>
  value === null ? null : new NumberFigure(value, metric.decimals)

/** A slope or a difference: one decimal more than the metric, whole minutes for clock times. */
export const changeOf = (metric: Metric, value: number | null): Expected =>
  value === null ? null : new NumberFigure(value, metric.kind === "clock" ? 0 : metric.decimals + 1)

export const intervalOf = (metric: Metric, interval: readonly [number, number] | null): Expected =>
  interval && [changeOf(metric, interval[0]), changeOf(metric, interval[1])]

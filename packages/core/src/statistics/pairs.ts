import { WEEKDAYS } from "@restwell/client/calendar-dates"
import type { DateRange } from "../base/calendar.ts"
import { lineFor, type ValueKind } from "./clock-times.ts"
import { ascending, autocorrelationOf, middleOf } from "./moments.ts"
import { between, dayOf, type Series, weekdayIndex } from "./series.ts"

// What every relation begins with: two series without their drift and their week, and the pairs of their values.

/** A metric or a factor of the journal, and all of its values. */
export interface Measured {
  readonly id: string
  readonly kind: ValueKind
  readonly history: Series
}

/** Values that vary around zero, and how much neighbours resemble each other. */
interface Varying {
  readonly series: Series
  /** Lag-1 autocorrelation of the whole series: the pairs of a factor with gaps have too few neighbours. */
  readonly memory: number
}

/** The factor or the outcome of a relation, on the days that the question is about. */
export interface Prepared {
  readonly kind: ValueKind
  /** On a line. */
  readonly values: Series
  /** The values without their running median. */
  readonly detrended: Varying
  /** The values without their running median and the mean of each weekday. */
  readonly weekless: Varying
}

/** @param period dates of the outcome @param lag days from this side to the outcome */
export function prepare({ kind, history }: Measured, { from, to }: DateRange, lag: number): Prepared {
  const [first, last] = [dayOf(from) - lag, dayOf(to) - lag]
  const toLine = lineFor(kind, between(history, first, last))
  // The running median of the first and the last days looks beyond them.
  const around = toLine(between(history, first - MEDIAN_REACH, last + MEDIAN_REACH))
  const detrended = between(withoutRunningMedian(around), first, last)
  return {
    kind,
    values: between(around, first, last),
    detrended: varying(detrended),
    weekless: varying(withoutWeek(detrended)),
  }
}

const varying = (series: Series): Varying => ({ series, memory: autocorrelationOf(series) })

/** Each value minus the mean of its weekday. Two series with the same weekends would seem related otherwise. */
export function withoutWeek(series: Series): Series {
  const [sums, counts] = [new Float64Array(WEEKDAYS.length), new Float64Array(WEEKDAYS.length)]
  for (const { day, value } of series) {
    const weekday = weekdayIndex(day)
    sums[weekday] = (sums[weekday] ?? 0) + value
    counts[weekday] = (counts[weekday] ?? 0) + 1
  }
  return series.map(({ day, value }) => {
    const weekday = weekdayIndex(day)
    return { day, value: precise(value - (sums[weekday] ?? 0) / (counts[weekday] ?? 1)) }
  })
}

/** Dates to both sides: 29 dates in all. */
export const MEDIAN_REACH = 14
/** Differences of equal figures differ in their last digits. Ranks would tell them apart. */
const PRECISION = 1e8
const precise = (value: number): number => Math.round(value * PRECISION) / PRECISION

/** Each value minus the median of the 29 dates around it. A drift of weeks is gone, the changes from night to night stay. */
export function withoutRunningMedian(series: Series): Series {
  // The window stays in order while it moves: all relations of ten years would take a second if every date sorted its own.
  const window: number[] = []
  let [first, next] = [0, 0]
  const isWithin = (index: number, last: number): boolean => (series[index]?.day ?? Number.POSITIVE_INFINITY) <= last
  return series.map(({ day, value }) => {
    for (; isWithin(next, day + MEDIAN_REACH); next += 1) insert(window, series[next]?.value ?? 0)
    for (; isWithin(first, day - MEDIAN_REACH - 1); first += 1)
      window.splice(window.indexOf(series[first]?.value ?? 0), 1)
    return { day, value: precise(value - middleOf(window)) }
  })
}

/** Puts a value behind those that are not larger. */
function insert(sorted: number[], value: number): void {
  let place = sorted.length
  while (place > 0 && (sorted[place - 1] ?? 0) > value) place -= 1
  sorted.splice(place, 0, value)
}

/** Fewer pairs are not enough to know the means of seven weekdays. */
export const FEWEST_PAIRS_FOR_WEEK = 28
/** What seven means take more than one. */
export const WEEK_DEGREES = 6

/**
 * How many independent pairs n pairs are worth: n (1 - a b) / (1 + a b).
 * @see Bartlett 1935, J. R. Stat. Soc. 98:536; Pyper and Peterman 1998, Can. J. Fish. Aquat. Sci. 55:2127
 * @param one memory of a side
 */
export const jointSize = (n: number, one: number, other: number): number => (n * (1 - one * other)) / (1 + one * other)

/** A value of the factor, and the outcome's value of `lag` days later. */
export interface Pair {
  /** Of the outcome. */
  readonly day: number
  readonly factor: number
  readonly outcome: number
}

/** The pairs in the order of their days. @param lag days from the factor to the outcome */
export function pairsOf(factors: Series, outcomes: Series, lag: number): Pair[] {
  const pairs: Pair[] = []
  let next = 0
  for (const { day, value: outcome } of outcomes) {
    while ((factors[next]?.day ?? Number.POSITIVE_INFINITY) + lag < day) next += 1
    const factor = factors[next]
    if (factor && factor.day + lag === day) pairs.push({ day, factor: factor.value, outcome })
  }
  return pairs
}

/** Ranks from 1 on. Equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const sorted = ascending(values)
  const rankOf = new Map<number | undefined, number>()
  for (let [start, end] = [0, 0]; start < sorted.length; start = end) {
    while (end < sorted.length && sorted[end] === sorted[start]) end += 1
    rankOf.set(sorted[start], (start + 1 + end) / 2)
  }
  return values.map((value) => rankOf.get(value) ?? Number.NaN)
}

/** Spearman's rank correlation. Null where one side is constant. @param ones as many as `others` */
export function rankCorrelation(ones: readonly number[], others: readonly number[]): number | null {
  // Ranks of n values have this mean, ties or not.
  const mean = (ones.length + 1) / 2
  const aroundMean = (values: readonly number[]): number[] => ranksOf(values).map((rank) => rank - mean)
  const [one, other] = [aroundMean(ones), aroundMean(others)]
  const scale = Math.sqrt(sumOfProducts(one, one) * sumOfProducts(other, other))
  return scale > 0 ? Math.min(1, Math.max(-1, sumOfProducts(one, other) / scale)) : null
}

const sumOfProducts = (ones: readonly number[], others: readonly number[]): number =>
  ones.reduce((sum, one, index) => sum + one * (others[index] ?? 0), 0)

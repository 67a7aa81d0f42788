import type { DateRange } from "../calendar/date-range.ts"
import { dayOf } from "./day.ts"
import { lineFor, type ValueKind } from "./line.ts"
import { MEDIAN_REACH, withoutRunningMedian } from "./running-median.ts"
import { between, type DayValue, type Series, valuesOf } from "./series.ts"
import { orderOf } from "./spearman.ts"

/** A metric or a factor of the journal, and all of its values. */
export interface Measured {
  readonly id: string
  readonly kind: ValueKind
  readonly history: Series
}

/** The days that answer: those of the outcome's dates, some days earlier for a factor. */
export interface Days {
  readonly first: number
  readonly last: number
}

/** Days of the factor for outcomes of a period. @param lag days from the factor to the outcome */
export const daysOf = ({ from, to }: DateRange, lag: number): Days => ({
  first: dayOf(from) - lag,
  last: dayOf(to) - lag,
})

/** A series twice: its values on a line, and the same without their running median, which looks beyond the days. */
export interface Prepared {
  readonly values: Series
  readonly detrended: Series
  /** The order of the detrended values, for all relations that they have a part in. */
  readonly order: () => Uint32Array
}

export function prepare({ kind, history }: Measured, { first, last }: Days): Prepared {
  const toLine = lineFor(kind, valuesOf(between(history, first, last)))
  const around = toLine(between(history, first - MEDIAN_REACH, last + MEDIAN_REACH))
  const detrended = between(withoutRunningMedian(around), first, last)
  let order: Uint32Array | undefined
  return {
    values: between(around, first, last),
    detrended,
    order() {
      order ??= orderOf(valuesOf(detrended))
      return order
    },
  }
}

/** A factor's value with the outcome's value of so many days later. */
export interface Pair {
  readonly factor: DayValue
  readonly outcome: DayValue
}

/** The pairs in the order of their days. Both series are in that order, so one pass finds them. */
export function pairsOf(factors: Series, outcomes: Series, lag: number): Pair[] {
  const pairs: Pair[] = []
  let next = 0
  for (const outcome of outcomes) {
    const day = outcome.day - lag
    while ((factors[next]?.day ?? day) < day) next += 1
    const factor = factors[next]
    if (factor?.day === day) pairs.push({ factor, outcome })
  }
  return pairs
}

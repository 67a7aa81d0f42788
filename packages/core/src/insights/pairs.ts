import type { DateRange } from "../calendar/date-range.ts"
import { type Columns, columnsBetween, columnsOf } from "./columns.ts"
import { dayOf } from "./day.ts"
import { lineFor, type ValueKind } from "./line.ts"
import { MEDIAN_REACH, withoutRunningMedian } from "./running-median.ts"
import { between, type Series } from "./series.ts"
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
  readonly values: Columns
  readonly detrended: Columns
  /** The order of the detrended values, for all relations that they have a part in. */
  readonly order: () => Uint32Array
}

export function prepare({ kind, history }: Measured, { first, last }: Days): Prepared {
  const toLine = lineFor(kind, between(history, first, last))
  const around = columnsOf(toLine(between(history, first - MEDIAN_REACH, last + MEDIAN_REACH)))
  const detrended = columnsBetween(withoutRunningMedian(around), first, last)
  let order: Uint32Array | undefined
  return {
    values: columnsBetween(around, first, last),
    detrended,
    order() {
      order ??= orderOf(detrended.values)
      return order
    },
  }
}

/** A factor's values, each with the outcome's value of so many days later. All three are equally long. */
export interface Pairs {
  /** Of the outcome, ascending. */
  readonly days: Int32Array
  readonly factor: PairedSide
  readonly outcome: PairedSide
}

export interface PairedSide {
  readonly values: Float64Array
  /** Where each value is in the columns of its side. */
  readonly places: Uint32Array
}

/** The pairs in the order of their days. Both sides are in that order, so one pass finds them. */
export function pairsOf(factors: Columns, outcomes: Columns, lag: number): Pairs {
  const most = Math.min(factors.days.length, outcomes.days.length)
  const factor = new Uint32Array(most)
  const outcome = new Uint32Array(most)
  let [n, next] = [0, 0]
  for (let place = 0; place < outcomes.days.length; place += 1) {
    const day = (outcomes.days[place] ?? 0) - lag
    while ((factors.days[next] ?? day) < day) next += 1
    if (factors.days[next] !== day) continue
    factor[n] = next
    outcome[n] = place
    n += 1
  }
  const sides = { factor: sideAt(factors, factor.subarray(0, n)), outcome: sideAt(outcomes, outcome.subarray(0, n)) }
  const days = new Int32Array(n)
  for (let index = 0; index < n; index += 1) days[index] = outcomes.days[outcome[index] ?? 0] ?? 0
  return { ...sides, days }
}

function sideAt(columns: Columns, places: Uint32Array): PairedSide {
  // A loop: Float64Array.from takes thirty times as long.
  const values = new Float64Array(places.length)
  for (let index = 0; index < places.length; index += 1) values[index] = columns.values[places[index] ?? 0] ?? 0
  return { values, places }
}

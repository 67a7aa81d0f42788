/* Section 5 of the statistics: one period and another. */
import { median } from "./arithmetic.ts"
import { dateOf } from "./calendar.ts"
import { circularMean } from "./clock.ts"
import type { DailyValue } from "./daily-values.ts"
import { type Difference, differenceOf, hedges } from "./difference.ts"
import { type Expected, NumberFigure } from "./figure.ts"
import type { Metric } from "./metrics.ts"
import {
  changeOf,
  type Days,
  deviationOf,
  figureOf,
  intervalOf,
  isWithin,
  meanOf,
  missingIn,
  onALine,
  spreadOf,
} from "./part.ts"

export interface CompareQuestion {
  readonly metric: Metric
  readonly period: Days
  readonly other: Days
}

const FEWEST_VALUES = 5
const PAST_DATES = 120

/** The figures of the answer. @param all every value of the metric, of its source */
export function compareFigures(
  { metric, period, other }: CompareQuestion,
  all: readonly DailyValue[],
): Record<string, Expected> {
  const values = {
    period: all.filter((each) => isWithin(period, each)),
    other: all.filter((each) => isWithin(other, each)),
  }
  const middle = circularMean([...values.period, ...values.other].map(({ value }) => value)) ?? 0
  const line = (some: readonly DailyValue[]) => onALine(metric, some, middle)
  const later = Math.max(period.first, other.first)
  const past = line(all.filter((each) => isWithin({ first: later - PAST_DATES, last: later - 1 }, each)))
  const sides = { period: line(values.period), other: line(values.other) }
  const found = differenceOf(sides.period, sides.other, { past })
  const side = (days: Days, some: readonly DailyValue[]): Expected => {
    const numbers = some.map(({ value }) => value)
    return {
      start_date: dateOf(days.first),
      end_date: dateOf(days.last),
      days: days.last - days.first + 1,
      n: some.length,
      missing: missingIn(days, all),
      mean: figureOf(metric, meanOf(metric, numbers)),
      median: figureOf(metric, median(numbers)),
      sd: spreadOf(metric, deviationOf(metric, numbers)),
    }
  }
  const isLong = Math.min(sides.period.length, sides.other.length) >= FEWEST_VALUES
  const isEnough = isLong && found !== undefined && found.interval !== null
  const effect = isEnough
    ? hedges(
        sides.period.map(({ value }) => value),
        sides.other.map(({ value }) => value),
      )
    : null
  return {
    period: side(period, sides.period),
    with: side(other, sides.other),
    difference: changeOf(metric, found?.difference ?? null),
    interval: intervalOf(metric, isEnough ? found.interval : null),
    effect_size: effect === null ? null : new NumberFigure(effect, 2),
    verdict: isEnough ? verdictOf(found) : "not_enough_data",
  }
}

export function verdictOf({ interval }: Difference): "higher" | "lower" | "no_clear_difference" | "not_enough_data" {
  if (!interval) return "not_enough_data"
  return interval[0] > 0 ? "higher" : interval[1] < 0 ? "lower" : "no_clear_difference"
}

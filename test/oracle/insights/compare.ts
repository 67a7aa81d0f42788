/* Section 5 of the statistics: one period and another. */
import { median } from "./arithmetic.ts"
import { dateOf } from "./calendar.ts"
import { circularMean, onTheClock } from "./clock.ts"
import type { DailyValue } from "./daily-values.ts"
import { type Difference, differenceOf, hedges, meanDifference } from "./difference.ts"
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
  return {
    period: sideOf(metric, period, { all, line: sides.period }),
    with: sideOf(metric, other, { all, line: sides.other }),
    ...judged(metric, sides, found),
  }
}

interface Side {
  /** Every value of the source. */
  readonly all: readonly DailyValue[]
  /** The values that count, on a line. */
  readonly line: readonly DailyValue[]
}

function sideOf(metric: Metric, days: Days, { all, line }: Side): Expected {
  const numbers = line.map(({ value }) => value)
  return {
    start_date: dateOf(days.first),
    end_date: dateOf(days.last),
    days: days.last - days.first + 1,
    n: line.length,
    missing: missingIn(days, all),
    mean: figureOf(metric, meanOf(metric, numbers)),
    median: figureOf(metric, median(numbers)),
    sd: spreadOf(metric, deviationOf(metric, numbers)),
  }
}

/** Two sources on the dates that both have. @param one every value of the one source */
export function sourceFigures(
  { metric, days }: { readonly metric: Metric; readonly days: Days },
  one: readonly DailyValue[],
  other: readonly DailyValue[],
): Record<string, Expected> {
  const have = (values: readonly DailyValue[], { day }: DailyValue) => values.some((each) => each.day === day)
  const ones = one.filter((each) => isWithin(days, each) && have(other, each))
  const others = other.filter((each) => isWithin(days, each) && have(one, each))
  const middle = circularMean([...ones, ...others].map(({ value }) => value)) ?? 0
  const sides = { period: onALine(metric, ones, middle), other: onALine(metric, others, middle) }
  const differences = ones.map(({ day, value }, index) => {
    const difference = value - (others[index]?.value ?? 0)
    return { day, value: metric.kind === "clock" ? onTheClock(difference + 720) - 720 : difference }
  })
  return {
    period: sideOf(metric, days, { all: one, line: sides.period }),
    with: sideOf(metric, days, { all: other, line: sides.other }),
    ...judged(metric, sides, meanDifference(differences)),
  }
}

function judged(
  metric: Metric,
  sides: Record<"period" | "other", readonly DailyValue[]>,
  found: Difference | undefined,
): Record<string, Expected> {
  const isLong = Math.min(sides.period.length, sides.other.length) >= FEWEST_VALUES
  const isEnough = isLong && found !== undefined && found.interval !== null
  const effect = isEnough
    ? hedges(
        sides.period.map(({ value }) => value),
        sides.other.map(({ value }) => value),
      )
    : null
  return {
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

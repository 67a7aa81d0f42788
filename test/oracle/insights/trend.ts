/* Section 4 of the statistics: how a metric changes. */
import { median, quantile, sampleDeviation } from "./arithmetic.ts"
import { dateOf, type Grouping, groupOf, inOrder } from "./calendar.ts"
import type { DailyValue } from "./daily-values.ts"
import type { Expected } from "./figure.ts"
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
  newestPart,
  onALine,
  spreadOf,
} from "./part.ts"
import { type Slope, slopeOf } from "./slope.ts"

export interface TrendQuestion {
  readonly metric: Metric
  readonly days: Days
  readonly by?: Grouping | undefined
  readonly points: boolean
  readonly top: number
}

const FEWEST_VALUES = 14
const SMALLEST_CHANGE = 0.2
const USUAL_VALUES = 30
const FEWEST_USUAL = 5

/** The figures of the answer. @param all every value of the metric */
export function trendFigures(
  { metric, days, by, points, top }: TrendQuestion,
  all: readonly DailyValue[],
): Record<string, Expected> {
  const part = newestPart(metric, all)
  const values = part.filter((each) => isWithin(days, each))
  const line = onALine(metric, values)
  const numbers = line.map(({ value }) => value)
  const slope = slopeOf(line)
  const tested = isEnough(days, part, line) ? slope : undefined
  const third = Math.floor(values.length / 3)
  return {
    n: values.length,
    missing: missingIn(days, part),
    mean: figureOf(metric, meanOf(metric, numbers)),
    median: figureOf(metric, median(numbers)),
    sd: spreadOf(metric, deviationOf(metric, numbers)),
    p25: figureOf(metric, quantile(numbers, 0.25)),
    p75: figureOf(metric, quantile(numbers, 0.75)),
    highest: extremes(metric, line, (one, other) => other - one).slice(0, top),
    lowest: extremes(metric, line, (one, other) => one - other).slice(0, top),
    latest: dated(metric, line.at(-1)),
    usual:
      values.length === 0
        ? null
        : usualRange(
            metric,
            part.filter(({ day }) => day <= days.last),
          ),
    slope_per_30_days: changeOf(metric, slope ? slope.slope * 30 : null),
    interval: intervalOf(metric, tested?.interval ? [tested.interval[0] * 30, tested.interval[1] * 30] : null),
    verdict: tested ? verdictOf(line, tested) : "not_enough_data",
    first_third: thirdOf(metric, line.slice(0, third)),
    last_third: thirdOf(metric, line.slice(line.length - third)),
    groups: by ? groupsOf(metric, line, by) : null,
    points: points ? line.map(({ day, value }) => [dateOf(day), figureOf(metric, value)]) : null,
  }
}

function dated(metric: Metric, daily: DailyValue | undefined): Expected {
  return daily ? { date: dateOf(daily.day), value: figureOf(metric, daily.value) } : null
}

/** Of equal values the newest first. */
function extremes(
  metric: Metric,
  line: readonly DailyValue[],
  order: (one: number, other: number) => number,
): Expected[] {
  return [...line]
    .sort((one, other) => order(one.value, other.value) || other.day - one.day)
    .map((daily) => dated(metric, daily))
}

/** Section 8: of the 30 values before the latest, wherever the period begins. */
function usualRange(metric: Metric, part: readonly DailyValue[]): Expected {
  const before = onALine(metric, part.slice(0, -1).slice(-USUAL_VALUES)).map(({ value }) => value)
  const [middle, spread] = [meanOf(metric, before), deviationOf(metric, before)]
  if (before.length < FEWEST_USUAL || middle === null || spread === null) return null
  return { low: figureOf(metric, middle - spread), high: figureOf(metric, middle + spread), n: before.length }
}

/** At least 14 values, and half of the period's dates since the first value of all. */
function isEnough(days: Days, part: readonly DailyValue[], line: readonly DailyValue[]): boolean {
  const dates = days.last - Math.max(days.first, part[0]?.day ?? 0) + 1
  return line.length >= FEWEST_VALUES && line.length >= dates / 2
}

function verdictOf(line: readonly DailyValue[], { slope, interval }: Slope): Expected {
  const deviation = sampleDeviation(line.map(({ value }) => value)) ?? 0
  const span = (line.at(-1)?.day ?? 0) - (line[0]?.day ?? 0)
  if (!interval || Math.abs(slope) * span < SMALLEST_CHANGE * deviation) return "no_clear_change"
  return interval[0] > 0 ? "rising" : interval[1] < 0 ? "falling" : "no_clear_change"
}

function thirdOf(metric: Metric, line: readonly DailyValue[]): Expected {
  return {
    n: line.length,
    mean: figureOf(
      metric,
      meanOf(
        metric,
        line.map(({ value }) => value),
      ),
    ),
  }
}

function groupsOf(metric: Metric, line: readonly DailyValue[], by: Grouping): Expected[] {
  const groups = Map.groupBy(line, ({ day }) => groupOf(day, by))
  return inOrder([...groups.keys()], by).map((group) => {
    const values = (groups.get(group) ?? []).map(({ value }) => value)
    return {
      group,
      n: values.length,
      mean: figureOf(metric, meanOf(metric, values)),
      sd: spreadOf(metric, deviationOf(metric, values)),
    }
  })
}

/* One date: each figure beside what was usual for the person, and what is far from it. */
import { mean, sampleDeviation } from "./arithmetic.ts"
import { dateOf } from "./calendar.ts"
import { onTheClock } from "./clock.ts"
import type { DailyValue, Life } from "./daily-values.ts"
import { ANYTHING, ClockFigure, type Expected, NumberFigure, OneOf } from "./figure.ts"
import { type Metric, metricOf } from "./metrics.ts"
import { figureOf, seriesOf } from "./part.ts"
import { usualRange } from "./trend.ts"

const FIGURES = [
  ...["recovery_score", "hrv", "resting_heart_rate", "respiratory_rate", "spo2", "skin_temp_deviation"],
  ...["asleep", "sleep_performance", "bedtime"],
]
const NEWEST_DATES = 14
/** The least that two values of a metric differ by. */
const SIGNS = { resting_heart_rate: 1, hrv: 0.1, respiratory_rate: 0.1, skin_temp_deviation: 0.1 } as const

/** What of the answer about a date follows from the person's values. */
export function dayFigures(life: Life, only: string | undefined, day: number): Record<string, Expected> {
  const all = FIGURES.map((id) => {
    const metric = metricOf(id)
    const series = seriesOf(life, metric, { only, days: { first: day, last: day } })
    return { metric, values: series.filter((value) => value.day <= day) }
  })
  const newest = all.flatMap(({ values }) => values.at(-1)?.day ?? []).filter((each) => each > day - NEWEST_DATES)
  const figuresDay = newest.length > 0 ? Math.max(...newest) : undefined
  return {
    figures: all.map(({ metric, values }) => figureAt(metric, values, day)),
    figures_date: figuresDay === undefined ? null : dateOf(figuresDay),
    signs: figuresDay === undefined ? [] : signsAt(all, figuresDay),
    oldest_date: ANYTHING,
    newest_date: ANYTHING,
    // test/connector/awaited.test.ts has what is still to come.
    awaited: ANYTHING,
    ended: ANYTHING,
    sleep: ANYTHING,
    recovery: ANYTHING,
    cycle: ANYTHING,
    workout: ANYTHING,
    journal: ANYTHING,
    rows: ANYTHING,
    // `bests.test.ts` and test/http/day.test.ts compute it by its definition.
    best: ANYTHING,
  }
}

/** @param values of one source, up to the day */
function figureAt(metric: Metric, values: readonly DailyValue[], day: number): Expected {
  const last = values.at(-1)
  const own = last?.day === day ? last : undefined
  const latest = !own && last && last.day > day - NEWEST_DATES ? last : undefined
  const before = values.filter((value) => value.day < day)
  return {
    metric: metric.id,
    unit: metric.unit,
    source: last?.source ?? null,
    value: own ? figureOf(metric, own.value) : null,
    missing: own ? null : ANYTHING,
    // Nothing of the last value itself is in its usual range.
    usual: last ? usualRange(metric, [...before, { day, value: 0, source: last.source }]) : null,
    position: own ? positionOf(metric, values) : null,
    latest: latest
      ? {
          date: dateOf(latest.day),
          value: figureOf(metric, latest.value),
          usual: usualRange(metric, values),
          position: positionOf(metric, values),
        }
      : null,
  }
}

/** Where the last value is. At an end of the range, rounding decides. */
function positionOf(metric: Metric, values: readonly DailyValue[]): Expected {
  const range = usualRange(metric, values)
  const value = values.at(-1)?.value ?? 0
  if (range === null || typeof range !== "object" || !("low" in range)) return null
  const [low, high] = [numberOf(range["low"]), numberOf(range["high"])]
  const step = 10 ** -metric.decimals
  const isNear = [low, high].some((end) => apart(metric, value, end) <= step)
  if (isNear) return new OneOf(["below", "within", "above"])
  if (metric.kind !== "clock") return value < low ? "below" : value > high ? "above" : "within"
  const [width, after] = [onTheClock(high - low), onTheClock(value - low)]
  if (after <= width) return "within"
  const [beyond, short] = [after - width, 1440 - after]
  return Math.abs(beyond - short) < 2 * step ? new OneOf(["below", "above"]) : beyond < short ? "above" : "below"
}

function apart({ kind }: Metric, one: number, other: number): number {
  const distance = Math.abs(one - other)
  return kind === "clock" ? Math.min(onTheClock(distance), 1440 - onTheClock(distance)) : distance
}

function numberOf(figure: Expected | undefined): number {
  if (figure instanceof NumberFigure) return figure.value
  if (figure instanceof ClockFigure) return figure.minutes
  throw new Error("no figure")
}

interface Valued {
  readonly metric: Metric
  readonly values: readonly DailyValue[]
}

/** The figures that are more than two deviations, or steps, from the mean of the 30 before. Anything where the last digits decide. */
function signsAt(all: readonly Valued[], day: number): Expected {
  const found = Object.entries(SIGNS).map(([id, step]) => {
    const { metric, values } = all.find((each) => each.metric.id === id) ?? { metric: metricOf(id), values: [] }
    return signAt({ metric, values }, step, day)
  })
  return found.includes(ANYTHING) ? ANYTHING : found.filter((sign) => sign !== null)
}

function signAt({ metric, values }: Valued, step: number, day: number): Expected {
  const direction = directionAt(values, step, day)
  if (direction !== "above" && direction !== "below") return direction === "unclear" ? ANYTHING : null
  let mornings = 1
  for (; ; mornings += 1) {
    const before = directionAt(values, step, day - mornings)
    if (before === "unclear") return ANYTHING
    if (before !== direction) break
  }
  const until = values.filter((value) => value.day <= day)
  const { id, unit } = metric
  const value = until.at(-1)?.value ?? 0
  return { metric: id, unit, value: figureOf(metric, value), usual: usualRange(metric, until), direction, mornings }
}

function directionAt(values: readonly DailyValue[], step: number, day: number): "above" | "below" | "unclear" | null {
  const own = values.find((value) => value.day === day)?.value
  const before = values.filter((value) => value.day < day).slice(-30)
  // After 60 dates without a value, earlier values are usual no more.
  const gap = before.findLastIndex((value, index) => (before[index + 1]?.day ?? day) - value.day > 60)
  const usual = before.slice(gap + 1).map(({ value }) => value)
  const [middle, spread] = [mean(usual), sampleDeviation(usual)]
  if (own === undefined || usual.length < 5 || middle === null || spread === null) return null
  const limit = 2 * Math.max(spread, step)
  const distance = Math.abs(own - middle)
  if (Math.abs(distance - limit) < 1e-8) return "unclear"
  return distance > limit ? (own > middle ? "above" : "below") : null
}

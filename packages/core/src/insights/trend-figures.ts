import { wrap } from "./circular.ts"
import type { Description } from "./describe.ts"
import type { Metric } from "./metric.ts"
import { type Figure, orNull, toChange, toDated, toFigure, toInterval, toSpread } from "./rounding.ts"
import type { Trend } from "./trend.ts"
import type { Usual } from "./usual-range.ts"

/** Slopes are told for so many days. */
const SLOPE_DAYS = 30

const ofThird = (metric: Metric, { n, mean }: Description) => ({
  n,
  mean: orNull((value) => toFigure(metric, value), mean),
})

/** Figures of a period as an answer has them. */
export function descriptionFigures(metric: Metric, { n, mean, median, sd, p25, p75 }: Description) {
  const figure = (value: number | null): Figure | null => orNull((known) => toFigure(metric, known), value)
  return {
    n,
    mean: figure(mean),
    median: figure(median),
    sd: orNull((known) => toSpread(metric, known), sd),
    p25: figure(p25),
    p75: figure(p75),
  }
}

/** One standard deviation around the mean of the values before. */
export function usualFigures(metric: Metric, { mean, sd, n }: Usual): { low: Figure; high: Figure; n: number } {
  const limit = (value: number): Figure => toFigure(metric, metric.kind === "clock" ? wrap(value) : value)
  return { low: limit(mean - sd), high: limit(mean + sd), n }
}

/** The statistics of a trend answer, rounded. @param withPoints whether every value is wanted */
export function trendFigures(metric: Metric, trend: Trend, { withPoints }: { readonly withPoints: boolean }) {
  const change = (perDay: number): number => toChange(metric, perDay * SLOPE_DAYS)
  return {
    ...descriptionFigures(metric, trend),
    missing: trend.missing,
    highest: trend.highest.map((value) => toDated(metric, value)),
    lowest: trend.lowest.map((value) => toDated(metric, value)),
    latest: trend.latest && toDated(metric, trend.latest),
    usual: trend.usual && usualFigures(metric, trend.usual),
    slope_per_30_days: orNull(change, trend.slope),
    interval: toInterval(change, trend.interval),
    verdict: trend.verdict,
    first_third: ofThird(metric, trend.firstThird),
    last_third: ofThird(metric, trend.lastThird),
    groups:
      trend.groups?.map(({ group, n, mean, sd }) => ({
        group,
        n,
        mean: toFigure(metric, mean),
        sd: orNull((known) => toSpread(metric, known), sd),
      })) ?? null,
    points: withPoints ? trend.points.map(({ date, value }) => [date, toFigure(metric, value)] as const) : null,
  }
}

import type { Comparison, Side } from "./compare.ts"
import type { Metric } from "./metric.ts"
import { orNull, toChange, toInterval, toRatio } from "./rounding.ts"
import { descriptionFigures } from "./trend-figures.ts"

function sideFigures(metric: Metric, side: Side) {
  const { n, mean, median, sd } = descriptionFigures(metric, side)
  return { n, missing: side.missing, mean, median, sd }
}

/** The statistics of a comparison, rounded. */
export function compareFigures(
  metric: Metric,
  { period, other, difference, interval, effectSize, verdict }: Comparison,
) {
  const change = (value: number): number => toChange(metric, value)
  return {
    period: sideFigures(metric, period),
    with: sideFigures(metric, other),
    difference: orNull(change, difference),
    interval: toInterval(change, interval),
    effect_size: orNull(toRatio, effectSize),
    verdict,
  }
}

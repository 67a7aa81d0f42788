import type { ChartOf, TrendResponse } from "@restwell/client"
import { plotted } from "./metric-text.ts"

/** Days of the answer's slope. */
const SLOPE_DAYS = 30
const DAY_MS = 86_400_000

const dayOf = (date: string): number => Date.parse(date) / DAY_MS

/** A trend is drawn only where the answer says that there is one. */
export const hasTrendLine = ({ verdict }: Pick<TrendResponse, "verdict">): boolean =>
  verdict === "rising" || verdict === "falling"

/** The Theil-Sen line through the medians of dates and values; undefined where the answer calls nothing a trend. */
export function trendLine({ metric, answer }: ChartOf<"trend">): ((date: string) => number) | undefined {
  const { slope_per_30_days: slope, median, mean, points } = answer
  const middle = points?.[Math.floor(points.length / 2)]
  if (!hasTrendLine(answer) || slope === null || median === null || !middle) return undefined
  const height = plotted(metric, median, mean)
  return (date) => height + ((dayOf(date) - dayOf(middle[0])) * slope) / SLOPE_DAYS
}

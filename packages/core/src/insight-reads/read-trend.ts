import { TOP, type TrendQuery, type TrendResponse } from "@restwell/client"
import type { DateRange } from "../calendar/date-range.ts"
import { trendOf } from "../insights/trend.ts"
import { trendFigures } from "../insights/trend-figures.ts"
import type { InsightAnswer, InsightData } from "./insight-data.ts"
import { presentDates } from "./insight-range.ts"
import { knownMetric } from "./known-metric.ts"
import { metricExtras } from "./metric-extras.ts"
import { metricSeries } from "./metric-series.ts"
import { notesOf } from "./notes.ts"

/** How a metric went over a period: its figures, slope and verdict. */
export function readTrend(
  { chosen, today, envelope }: InsightData,
  { metric: id, by, points = false, top = TOP.default }: TrendQuery,
  period: DateRange,
): InsightAnswer<TrendResponse> {
  const metric = knownMetric(id, "metric")
  const series = metricSeries(chosen, metric)
  const trend = trendOf({ kind: metric.kind, history: series.history, period, top, ...(by && { by }) })
  const { groups, points: dated, ...figures } = trendFigures(metric, trend, { withPoints: points })
  const { source, sources } = envelope(metric, series.source)
  return {
    body: {
      metric: id,
      unit: metric.unit,
      period: presentDates(period),
      source,
      method: series.method,
      ...figures,
      extras: metricExtras(series, chosen, period),
      groups,
      points: dated?.map(([date, value]): [string, typeof value] => [date, value]) ?? null,
      notes: notesOf(series, { history: chosen, period, today }),
      sources,
    },
    recordCount: trend.n,
  }
}

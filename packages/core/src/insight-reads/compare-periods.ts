import type { CompareQuery, CompareResponse } from "@restwell/client"
import type { DateRange } from "../calendar/date-range.ts"
import * as statistics from "../insights/compare.ts"
import { compareFigures } from "../insights/compare-figures.ts"
import type { InsightAnswer, InsightData } from "./insight-data.ts"
import { presentDates } from "./insight-range.ts"
import { knownMetric } from "./known-metric.ts"
import { metricSeries } from "./metric-series.ts"
import { notesOf } from "./notes.ts"

/** How the values of two periods differ. */
export function comparePeriods(
  { chosen, today, envelope }: InsightData,
  { metric: id }: Pick<CompareQuery, "metric">,
  { period, other }: { readonly period: DateRange; readonly other: DateRange },
): InsightAnswer<CompareResponse> {
  const metric = knownMetric(id, "metric")
  const series = metricSeries(chosen, metric)
  const comparison = statistics.comparePeriods({ kind: metric.kind, history: series.history, period, other })
  const figures = compareFigures(metric, comparison)
  const { source, sources } = envelope(metric, series.source)
  const notes = [period, other].flatMap((range) => notesOf(series, { history: chosen, period: range, today }))
  return {
    body: {
      metric: id,
      unit: metric.unit,
      ...figures,
      period: { ...presentDates(period), ...figures.period },
      with: { ...presentDates(other), ...figures.with },
      source,
      method: series.method,
      notes: [...new Set(notes)],
      sources,
    },
    recordCount: comparison.period.n + comparison.other.n,
  }
}

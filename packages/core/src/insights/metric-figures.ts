import type { Metric } from "./metric.ts"
import type { SourcedValue } from "./series.ts"

/** A metric of the catalogue with what a person has of it. @param values of all sources */
export function metricFigures(metric: Metric, values: readonly SourcedValue[]) {
  const dates = [...new Set(values.map(({ date }) => date))].toSorted()
  return {
    ...metric,
    sources: [...new Set(values.map(({ source }) => source))].toSorted(),
    first_date: dates[0] ?? null,
    last_date: dates.at(-1) ?? null,
    n: dates.length,
  }
}

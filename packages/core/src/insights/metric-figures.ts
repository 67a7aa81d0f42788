import { dateOf } from "./day.ts"
import type { Metric } from "./metric.ts"
import type { SourcedValue } from "./series.ts"

/** A metric of the catalogue with what a person has of it. @param values of all sources */
export function metricFigures(metric: Metric, values: readonly SourcedValue[]) {
  const days = [...new Set(values.map(({ day }) => day))].toSorted((one, other) => one - other)
  const [first, last] = [days[0], days.at(-1)]
  return {
    ...metric,
    sources: [...new Set(values.map(({ source }) => source))].toSorted(),
    first_date: first === undefined ? null : dateOf(first),
    last_date: last === undefined ? null : dateOf(last),
    n: days.length,
  }
}

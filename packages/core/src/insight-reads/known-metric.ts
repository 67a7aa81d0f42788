import { InvalidRequest } from "../context/errors.ts"
import type { Metric } from "../insights/metric.ts"
import { metricOf } from "./metric-series.ts"

/** The metric of an id. @throws {InvalidRequest} */
export function knownMetric(id: string, field: string): Metric {
  const metric = metricOf(id)
  if (!metric) throw new InvalidRequest(`${field} ${id} is unknown, /api/v1/metrics lists all`, field)
  return metric
}

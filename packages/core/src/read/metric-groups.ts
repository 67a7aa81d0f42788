/** The records that a metric is read from. */
import { SUM_TYPES } from "@restwell/client"
import { factorNameOf, isMetricId, readFrom, sportNameOf } from "@restwell/client/figures"
import type { RecordKind } from "@restwell/providers"

/** What a metric is read from. */
export type MetricGroup = RecordKind | "journal" | "series"

export const METRIC_GROUPS = [
  "sleep",
  "recovery",
  "workout",
  "cycle",
  "journal",
  "series",
] as const satisfies MetricGroup[]

/** The records that a metric, a factor of the journal or a sport is read from. Null for an unknown id. */
export function groupOfMetric(id: string): MetricGroup | null {
  if (factorNameOf(id) !== null) return "journal"
  if (sportNameOf(id) !== null) return "workout"
  return isMetricId(id) ? readFrom(id) : null
}

/** The type of records whose order of sources decides about a metric. */
export function orderFor(id: string): RecordKind {
  const group = groupOfMetric(id)
  if (group === "series") return orderForSeries(id)
  return group === null || group === "journal" ? "sleep" : group
}

/** The type of records whose order of sources decides about values within the day. */
export function orderForSeries(type: string): RecordKind {
  if (type === "sleep_stages") return "sleep"
  return SUM_TYPES.includes(type) ? "cycle" : "recovery"
}

/** Whether a metric is about a night, and is dated by the waking from it. The journal is, too. */
export function isOfNight(id: string): boolean {
  const group = groupOfMetric(id)
  return group === "recovery" || group === "journal" || (group === "sleep" && id !== "nap")
}

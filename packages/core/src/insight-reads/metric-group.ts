import type { RecordKind } from "@restwell/providers"
import { factorNameOf, isMetricId, type MetricId } from "../insights/catalogue.ts"

/** The records that a metric is read from. */
export type MetricGroup = RecordKind | "journal"

export const METRIC_GROUPS = ["sleep", "recovery", "workout", "cycle", "journal"] as const satisfies MetricGroup[]

const GROUPS: Readonly<Record<MetricId, RecordKind>> = {
  recovery_score: "recovery",
  hrv: "recovery",
  resting_heart_rate: "recovery",
  respiratory_rate: "sleep",
  spo2: "recovery",
  skin_temp_deviation: "recovery",
  asleep: "sleep",
  in_bed: "sleep",
  deep: "sleep",
  rem: "sleep",
  light: "sleep",
  awake: "sleep",
  sleep_efficiency: "sleep",
  sleep_performance: "sleep",
  sleep_consistency: "sleep",
  sleep_need: "sleep",
  sleep_debt: "sleep",
  bedtime: "sleep",
  wake_time: "sleep",
  midsleep: "sleep",
  nap: "sleep",
  strain: "cycle",
  calories: "cycle",
  steps: "cycle",
  workout_count: "workout",
  workout: "workout",
  distance: "workout",
  last_workout_end: "workout",
}

/** The records that a metric or a factor of the journal is read from. Null for an unknown id. */
export function groupOfMetric(id: string): MetricGroup | null {
  if (factorNameOf(id) !== null) return "journal"
  return isMetricId(id) ? GROUPS[id] : null
}

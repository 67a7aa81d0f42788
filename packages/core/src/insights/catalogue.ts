import { METRIC_IDS, type MetricId } from "@restwell/client"
import type { ValueKind } from "./line.ts"
import type { Metric } from "./metric.ts"

type Row = readonly [title: string, unit: string | null, better: Metric["better"], decimals: number, kind?: ValueKind]

export { METRIC_IDS, type MetricId } from "@restwell/client"

const ROWS: Readonly<Record<MetricId, Row>> = {
  recovery_score: ["Recovery", "%", "higher", 1],
  hrv: ["Heart rate variability", "ms", "higher", 1],
  resting_heart_rate: ["Resting heart rate", "bpm", "lower", 1],
  respiratory_rate: ["Respiratory rate", "/min", "neither", 1],
  spo2: ["Blood oxygen", "%", "higher", 1],
  skin_temp_deviation: ["Skin temperature deviation", "C", "neither", 1],
  asleep: ["Time asleep", "h", "higher", 2],
  in_bed: ["Time in bed", "h", "neither", 2],
  deep: ["Deep sleep", "h", "higher", 2],
  rem: ["REM sleep", "h", "higher", 2],
  light: ["Light sleep", "h", "neither", 2],
  awake: ["Time awake in bed", "h", "lower", 2],
  sleep_efficiency: ["Sleep efficiency", "%", "higher", 1],
  sleep_performance: ["Sleep performance", "%", "higher", 1],
  sleep_consistency: ["Sleep consistency", "%", "higher", 1],
  sleep_need: ["Sleep need", "h", "neither", 2],
  sleep_debt: ["Sleep debt of the night", "h", "lower", 2],
  bedtime: ["Bedtime", null, "neither", 0, "clock"],
  wake_time: ["Wake time", null, "neither", 0, "clock"],
  midsleep: ["Middle of sleep", null, "neither", 0, "clock"],
  nap: ["Time asleep in naps", "h", "neither", 2],
  strain: ["Strain", null, "neither", 1],
  calories: ["Energy burned", "kcal", "neither", 0],
  steps: ["Steps", null, "higher", 0],
  workout_count: ["Workouts", null, "neither", 1],
  workout: ["Time in workouts", "h", "neither", 2],
  distance: ["Distance in workouts", "m", "neither", 1],
  last_workout_end: ["End of the last workout", null, "neither", 0, "clock"],
}

function metricOf(id: MetricId): Metric {
  const [title, unit, better, decimals, kind = "number"] = ROWS[id]
  return { id, title, unit, better, decimals, kind }
}

/** Every metric without the factors of the journal. Section 2 of the statistics' definitions has the same order. */
export const METRICS: readonly Metric[] = METRIC_IDS.map(metricOf)

export function isMetricId(id: string): id is MetricId {
  return Object.hasOwn(ROWS, id)
}

const JOURNAL = "journal:"

/** A factor of the journal: 1 for a date answered with yes, 0 for no. @param factor its canonical name, as in late_meal */
export function journalMetric(factor: string): Metric {
  const words = factor.replaceAll("_", " ")
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  return { id: `${JOURNAL}${factor}`, title, unit: null, better: "neither", decimals: 2, kind: "yes_no" }
}

/** The factor's name of a metric id as in journal:late_meal. Null for other ids. */
export const factorNameOf = (id: string): string | null => (id.startsWith(JOURNAL) ? id.slice(JOURNAL.length) : null)

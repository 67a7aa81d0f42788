/** Classes of a line, its dots and its mark in the legend. */
export interface MetricColor {
  readonly stroke: string
  readonly fill: string
  readonly background: string
}

const SLEEP = { stroke: "stroke-deep", fill: "fill-deep", background: "bg-deep" }
const STRAIN = { stroke: "stroke-strain", fill: "fill-strain", background: "bg-strain" }
const HEART = { stroke: "stroke-heart", fill: "fill-heart", background: "bg-heart" }
const RECOVERY = { stroke: "stroke-good-mark", fill: "fill-good-mark", background: "bg-good-mark" }
const HRV = { stroke: "stroke-hrv", fill: "fill-hrv", background: "bg-hrv" }

/** Other metrics are of sleep. */
const COLORS: Readonly<Record<string, MetricColor>> = {
  hrv: HRV,
  spo2: HRV,
  respiratory_rate: HRV,
  resting_heart_rate: HEART,
  skin_temp_deviation: HEART,
  recovery_score: RECOVERY,
  strain: STRAIN,
  calories: STRAIN,
  steps: STRAIN,
  workout: STRAIN,
  workout_count: STRAIN,
  distance: STRAIN,
  last_workout_end: STRAIN,
}

/** The colour of a metric, as in the dashboard. */
export const colorOf = (metricId: string): MetricColor => COLORS[metricId] ?? SLEEP

import type { TrendDay } from "@restwell/client"

/** The other fields of a night of which only the times and lengths are known. */
export const NO_STAGES = {
  light_hours: null,
  deep_hours: null,
  rem_hours: null,
  awake_hours: null,
  performance: null,
  efficiency: null,
  consistency: null,
  respiratory_rate: null,
  score_delay_minutes: null,
  course: null,
}

/** A date without any record, of which tests make their days. */
export const NO_DAY: TrendDay = {
  date: "2026-11-20",
  sleep: null,
  naps: [],
  nap_hours: null,
  recovery: null,
  recovery_score_band: null,
  asleep_band: null,
  hrv_band: null,
  resting_heart_rate_band: null,
  spo2_band: null,
  skin_temp_deviation_band: null,
  respiratory_rate_band: null,
  strain: null,
  workouts: [],
}

/** Kinds of values within the day, and of values that come now and then, each with its unit. */
export const SERIES_UNITS = {
  /** Beats a minute. */
  heart_rate: "bpm",
  hrv: "ms",
  spo2: "%",
  /** Breaths a minute. */
  respiratory_rate: "/min",
  skin_temperature: "C",
  steps: "count",
  /** Energy burned beyond rest. */
  active_energy: "kcal",
  distance: "m",
  /** Each value is a stage that lasts for a time. */
  sleep_stages: "stage",
  weight: "kg",
  body_fat: "%",
  blood_pressure_systolic: "mmHg",
  blood_pressure_diastolic: "mmHg",
  vo2max: "ml/kg/min",
} as const
export type SeriesType = keyof typeof SERIES_UNITS

export const SERIES_TYPES = [
  "heart_rate",
  "hrv",
  "spo2",
  "respiratory_rate",
  "skin_temperature",
  "steps",
  "active_energy",
  "distance",
  "sleep_stages",
  "weight",
  "body_fat",
  "blood_pressure_systolic",
  "blood_pressure_diastolic",
  "vo2max",
] as const satisfies readonly SeriesType[]

/** Stages of sleep, as devices tell them. `asleep` is sleep without a known stage. */
export const SLEEP_STAGES = ["awake", "light", "deep", "rem", "asleep", "in_bed"] as const
export type SleepStage = (typeof SLEEP_STAGES)[number]

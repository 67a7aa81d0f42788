// What rows of a phone can bring, whichever program pushes them.
import type { FieldCoverage } from "../contract/records.ts"
import type { SeriesCoverage } from "../contract/series.ts"
import { known } from "../normalize/known.ts"

const ROWS: readonly (readonly [
  FieldCoverage["kind"],
  field: string,
  source: string,
  unit?: string,
  method?: string,
])[] = [
  ["sleep", "startMs", "first sleep_segment", "UTC instant"],
  ["sleep", "endMs", "last sleep_segment", "UTC instant"],
  ["sleep", "durationMs", "end - start", "ms", "time in bed"],
  ["sleep", "isNap", "shorter than three hours, not at night, and two hours or more from a night"],
  ["sleep", "stages.lightMs", "sleep_segment light", "ms"],
  ["sleep", "stages.deepMs", "sleep_segment deep", "ms"],
  ["sleep", "stages.remMs", "sleep_segment rem", "ms"],
  ["sleep", "stages.awakeMs", "sleep_segment awake", "ms"],
  ["sleep", "efficiencyPercent", "asleep / in bed", "percent"],
  ["sleep", "respiratoryRatePerMinute", "mean of respiratory_rate within the sleep", "breaths/min"],
  ["recovery", "hrvMs", "mean of hrv_rmssd, else hrv_sdnn, within the sleep", "ms", "by the type of the rows"],
  ["recovery", "restingHeartRateBpm", "resting_heart_rate", "beats/min"],
  ["recovery", "spo2Percent", "mean of spo2 within the sleep", "percent"],
  ["recovery", "skinTempCelsius", "skin_temperature", "degrees Celsius"],
  ["workout", "startMs", "workout", "UTC instant"],
  ["workout", "endMs", "workout", "UTC instant"],
  ["workout", "durationMs", "end - start", "ms"],
  ["workout", "sportType", "value of workout"],
  ["cycle", "startMs", "midnight", "UTC instant"],
  ["cycle", "endMs", "the next midnight", "UTC instant"],
  ["cycle", "steps", "steps, at each moment of one device"],
  ["cycle", "activeEnergyKcal", "active_energy, at each moment of one device", "kcal", "beyond rest"],
  ["cycle", "distanceMeters", "distance, at each moment of one device", "m"],
]

export const PHONE_COVERAGE: readonly FieldCoverage[] = ROWS.map(([kind, field, source, unit, method]) => ({
  kind,
  field,
  source,
  ...known({ unit, method }),
}))

export const PHONE_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "heart_rate" },
  { type: "hrv", source: "hrv_rmssd", method: "rmssd" },
  { type: "hrv", source: "hrv_sdnn", method: "sdnn" },
  { type: "spo2", source: "spo2" },
  { type: "respiratory_rate", source: "respiratory_rate" },
  { type: "skin_temperature", source: "skin_temperature" },
  { type: "steps", source: "steps" },
  { type: "active_energy", source: "active_energy" },
  { type: "distance", source: "distance" },
  { type: "floors", source: "floors" },
  { type: "exercise_minutes", source: "exercise_minutes" },
  { type: "stress", source: "stress" },
  { type: "walking_heart_rate", source: "walking_heart_rate" },
  { type: "sleep_stages", source: "sleep_segment" },
  { type: "weight", source: "weight" },
  { type: "body_fat", source: "body_fat" },
  { type: "blood_pressure_systolic", source: "blood_pressure_systolic" },
  { type: "blood_pressure_diastolic", source: "blood_pressure_diastolic" },
  { type: "vo2max", source: "vo2max" },
]

import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Health Connect's export has. */
export const HEALTH_CONNECT_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleep_session.start_time of the first session of one app with gaps of at most an hour", "UTC instant"],
    ["endMs", "sleep_session.end_time of the last of them", "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    [
      "isNap",
      "under 3 hours asleep, not for the most part between 0 and 5 o'clock, and two hours or more from a night",
    ],
    ["stages.lightMs", "sleep_stages of light sleep, and of sleep beside other stages", "ms"],
    ["stages.deepMs", "sleep_stages of deep sleep", "ms"],
    ["stages.remMs", "sleep_stages of REM sleep", "ms"],
    ["stages.awakeMs", "sleep_stages awake or out of bed, and gaps between sessions", "ms"],
    ["asleepMs", "sleep_stages of sleep, from apps without other stages", "ms"],
    ["course", "sleep_stages", "phases of 2 minutes"],
    ["efficiencyPercent", "time asleep / (end - start)", "percent"],
    ["respiratoryRatePerMinute", "mean of respiratory_rate within the sleep", "breaths/min"],
    ["startUtcOffsetMinutes", "start_zone_offset", "minutes"],
    ["endUtcOffsetMinutes", "end_zone_offset", "minutes"],
    ["device", "application_info.app_name"],
  ],
  recovery: [
    ["hrvMs", "mean of heart_rate_variability_rmssd within the main sleep", "ms", "RMSSD"],
    ["restingHeartRateBpm", "resting_heart_rate", "beats/min", "of the day, not of the night"],
    ["spo2Percent", "mean of oxygen_saturation within the main sleep", "percent"],
    ["skinTempCelsius", "skin_temperature.baseline + mean delta", "degrees Celsius"],
    ["skinTempDeviationCelsius", "mean of skin_temperature_delta", "degrees Celsius", "from the app's own baseline"],
    ["sleepProviderId", "the main sleep of the date"],
    ["cycleProviderId", "the date"],
    ["device", "application_info.app_name"],
  ],
  workout: [
    ["startMs", "exercise_session.start_time", "UTC instant"],
    ["endMs", "exercise_session.end_time", "UTC instant"],
    ["durationMs", "end - start", "ms", "pauses included"],
    ["sportType", "exercise_session.exercise_type"],
    ["averageHeartRateBpm", "mean of the app's heart_rate within it", "beats/min"],
    ["maxHeartRateBpm", "highest of the app's heart_rate within it", "beats/min"],
    ["energyKcal", "the app's total_calories_burned within it, or active_calories_burned", "kcal"],
    ["distanceMeters", "the app's distance within it", "m"],
    ["device", "application_info.app_name"],
  ],
  cycle: [
    ["startMs", "local midnight", "UTC instant"],
    ["endMs", "local midnight of the next date", "UTC instant"],
    ["energyKcal", "total_calories_burned", "kcal", "of one app, between 800 and 8000"],
    ["activeEnergyKcal", "active_calories_burned", "kcal", "of one app"],
    ["steps", "steps.count", "count", "of the app with steps in the most hours of the day"],
    ["distanceMeters", "distance", "m", "of one app"],
    ["device", "application_info.app_name"],
  ],
  profile: [
    ["data.body.heightMeters", "the newest height", "m"],
    ["data.body.weightKilograms", "the newest weight / 1000", "kg"],
  ],
})

/** The values within the day that Health Connect's export has. */
export const HEALTH_CONNECT_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "heart_rate_record_series" },
  { type: "hrv", source: "heart_rate_variability_rmssd", method: "rmssd" },
  { type: "spo2", source: "oxygen_saturation" },
  { type: "respiratory_rate", source: "respiratory_rate" },
  { type: "skin_temperature", source: "skin_temperature.baseline + skin_temperature_delta" },
  { type: "steps", source: "steps of the app that answers for the day" },
  { type: "active_energy", source: "active_calories_burned of the app that answers for the day" },
  { type: "distance", source: "distance of the app that answers for the day" },
  { type: "floors", source: "floors_climbed of the app that answers for the day" },
  { type: "sleep_stages", source: "sleep_stages of the app that answers for the night" },
  { type: "weight", source: "weight / 1000" },
  { type: "body_fat", source: "body_fat" },
  { type: "blood_pressure_systolic", source: "blood_pressure.systolic" },
  { type: "blood_pressure_diastolic", source: "blood_pressure.diastolic" },
  { type: "vo2max", source: "vo2_max" },
]

import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Polar delivers. @see https://www.polar.com/accesslink-api/ */
export const POLAR_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleep.sleep_start_time", "UTC instant"],
    ["endMs", "sleep.sleep_end_time", "UTC instant"],
    ["startUtcOffsetMinutes", "sleep.sleep_start_time", "minutes"],
    ["endUtcOffsetMinutes", "sleep.sleep_end_time", "minutes"],
    ["durationMs", "sleep.sleep_end_time - sleep.sleep_start_time", "ms"],
    ["scorePercent", "sleep.sleep_score", "percent"],
    [
      "efficiencyPercent",
      "(sleep.light_sleep + deep_sleep + rem_sleep) / (sleep_end_time - sleep_start_time)",
      "percent",
    ],
    ["respiratoryRatePerMinute", "nightly_recharge.breathing_rate_avg", "breaths/min", "four hours of the night"],
    ["contributors", "sleep.group_duration_score, group_solidity_score, group_regeneration_score", "points 1-100"],
    ["stages.lightMs", "sleep.light_sleep", "ms"],
    ["stages.deepMs", "sleep.deep_sleep", "ms"],
    ["stages.remMs", "sleep.rem_sleep", "ms"],
    ["stages.awakeMs", "sleep.total_interruption_duration", "ms"],
    ["course", "sleep.hypnogram, where its sums are those of the stages", "a phase for each 2 minutes"],
  ],
  recovery: [
    ["hrvMs", "nightly_recharge.heart_rate_variability_avg", "ms", "RMSSD, four hours of the night"],
    ["skinTempDeviationCelsius", "skin_temperature.deviation_from_baseline_celsius", "degrees Celsius"],
    ["skinTempCelsius", "skin_temperature.sleep_time_skin_temperature_celsius", "degrees Celsius"],
  ],
  workout: [
    ["startMs", "exercise.start_time - start_time_utc_offset", "UTC instant"],
    ["endMs", "exercise.start_time - start_time_utc_offset + duration", "UTC instant"],
    ["durationMs", "exercise.duration", "ms"],
    ["sportType", "exercise.detailed_sport_info, or else sport"],
    ["strain", "exercise.training_load_pro.cardio_load", "cardio load"],
    ["averageHeartRateBpm", "exercise.heart_rate.average", "beats/min"],
    ["maxHeartRateBpm", "exercise.heart_rate.maximum", "beats/min"],
    ["energyKcal", "exercise.calories", "kcal"],
    ["distanceMeters", "exercise.distance", "m"],
    ["zones", "exercise.heart_rate_zones", "ms"],
  ],
  cycle: [
    ["startMs", "activity.start_time: the midnight of its date, at the offset of the nearest night", "UTC instant"],
    ["endMs", "the next midnight", "UTC instant"],
    ["startUtcOffsetMinutes", "the offset of the nearest night", "minutes"],
    ["endUtcOffsetMinutes", "the offset of the nearest night", "minutes"],
    ["energyKcal", "activity.calories", "kcal"],
    ["activeEnergyKcal", "activity.active_calories", "kcal"],
    ["steps", "activity.steps", "steps"],
    ["distanceMeters", "activity.distance_from_steps", "m"],
  ],
  profile: [
    ["data.body.heightMeters", "height / 100", "m"],
    ["data.body.weightKilograms", "weight", "kg"],
    ["data.body.maxHeartRate", "maximum_heart_rate", "beats/min"],
  ],
})

/** Values within the night. */
export const POLAR_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "heart_rate_samples of a night: means of five minutes" },
  { type: "sleep_stages", source: "hypnogram, where its sums are those of the stages" },
]

import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Google Takeout has. */
export const GOOGLE_HEALTH_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "UserSleeps.sleep_start; sleep.startTime", "UTC instant"],
    ["endMs", "UserSleeps.sleep_end; sleep.endTime", "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    ["isNap", "sleep.mainSleep; else all but the longest of a date and what is less than two hours from a night"],
    ["scorePercent", "UserSleepScores.overall_score; sleep_score.overall_score", "percent"],
    ["stages.lightMs", "UserSleepStages LIGHT; sleep.levels.summary.light", "ms"],
    ["stages.deepMs", "UserSleepStages DEEP; sleep.levels.summary.deep", "ms"],
    ["stages.remMs", "UserSleepStages REM; sleep.levels.summary.rem", "ms"],
    ["stages.awakeMs", "UserSleepStages AWAKE; sleep.levels.summary.wake", "ms"],
    ["course", "UserSleepStages; sleep.levels.data and shortData", "phases of 2 minutes"],
    ["asleepMs", "minutes asleep of a classic sleep", "ms"],
    ["efficiencyPercent", "minutes asleep / time in bed", "percent"],
    ["respiratoryRatePerMinute", "daily_respiratory_rate; Daily Respiratory Rate Summary", "breaths/min"],
    ["startUtcOffsetMinutes", "UserSleeps.start_utc_offset", "minutes"],
    ["endUtcOffsetMinutes", "UserSleeps.end_utc_offset", "minutes"],
  ],
  recovery: [
    ["scorePercent", "daily_readiness.score; Daily Readiness Score", "percent", "Fitbit's daily readiness"],
    [
      "hrvMs",
      "daily_heart_rate_variability; Daily Heart Rate Variability Summary.rmssd",
      "ms",
      "RMSSD, mean of a night",
    ],
    ["restingHeartRateBpm", "daily_resting_heart_rate; resting_heart_rate; UserSleepScores", "beats/min"],
    ["spo2Percent", "daily_oxygen_saturation; Daily SpO2", "percent", "mean of a night"],
    ["skinTempCelsius", "daily_sleep_temperature_derivations; Computed Temperature", "degrees Celsius"],
    ["skinTempDeviationCelsius", "nightly - baseline temperature", "degrees Celsius", "from the median of 30 nights"],
    ["sleepProviderId", "date"],
    ["cycleProviderId", "date"],
  ],
  workout: [
    ["startMs", "UserExercises.exercise_start; exercise.startTime", "UTC instant"],
    ["endMs", "UserExercises.exercise_end; exercise.startTime + duration", "UTC instant"],
    ["durationMs", "end - start", "ms", "pauses included"],
    ["sportType", "activity_name; activityName"],
    ["averageHeartRateBpm", "tracker_avg_heart_rate; averageHeartRate", "beats/min"],
    ["maxHeartRateBpm", "tracker_peak_heart_rate", "beats/min"],
    ["energyKcal", "tracker_total_calories; calories", "kcal"],
    ["distanceMeters", "tracker_total_distance_mm / 1000; distance", "m"],
  ],
  cycle: [
    ["startMs", "local midnight", "UTC instant"],
    ["endMs", "the next local midnight", "UTC instant"],
    ["energyKcal", "calories of one source", "kcal", "all energy burned, at rest too"],
    ["steps", "steps of one source"],
    ["device", "data source of the steps"],
    ["distanceMeters", "distance of one source", "m"],
  ],
  profile: [["data.body.heightMeters", "height / 1000", "m"]],
})

/** The values within the day that Google Takeout has. */
export const GOOGLE_HEALTH_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "heart_rate" },
  { type: "hrv", source: "heart_rate_variability; Heart Rate Variability Details", method: "rmssd" },
  { type: "spo2", source: "oxygen_saturation; Minute SpO2" },
  { type: "steps", source: "steps of one source, by minute" },
  { type: "distance", source: "distance of one source, by minute" },
  { type: "sleep_stages", source: "UserSleepStages; sleep.levels" },
  { type: "weight", source: "weight" },
  { type: "body_fat", source: "body_fat" },
  { type: "vo2max", source: "demographic_vo2_max" },
]

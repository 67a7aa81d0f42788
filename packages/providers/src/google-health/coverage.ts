import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Google Takeout has. */
export const GOOGLE_HEALTH_COVERAGE = coverageOf({
  sleep: [
    ["data.start", "UserSleeps.sleep_start; sleep.startTime", "UTC instant"],
    ["data.end", "UserSleeps.sleep_end; sleep.endTime", "UTC instant"],
    ["data.durationMs", "end - start", "ms", "time in bed"],
    ["data.isNap", "sleep.mainSleep; else all but the longest of a date and what is less than two hours from a night"],
    ["data.score", "UserSleepScores.overall_score; sleep_score.overall_score", "percent"],
    ["data.stages.lightMs", "UserSleepStages LIGHT; sleep.levels.summary.light", "ms"],
    ["data.stages.deepMs", "UserSleepStages DEEP; sleep.levels.summary.deep", "ms"],
    ["data.stages.remMs", "UserSleepStages REM; sleep.levels.summary.rem", "ms"],
    ["data.stages.awakeMs", "UserSleepStages AWAKE; sleep.levels.summary.wake", "ms"],
    ["course", "UserSleepStages; sleep.levels.data and shortData", "phases of 2 minutes"],
    ["asleepMs", "minutes asleep of a classic sleep", "ms"],
    ["data.metrics.efficiency", "minutes asleep / time in bed", "percent"],
    ["data.metrics.respiratoryRate", "daily_respiratory_rate; Daily Respiratory Rate Summary", "breaths/min"],
    ["startUtcOffsetMinutes", "UserSleeps.start_utc_offset", "minutes"],
    ["endUtcOffsetMinutes", "UserSleeps.end_utc_offset", "minutes"],
  ],
  recovery: [
    ["data.score", "daily_readiness.score; Daily Readiness Score", "percent", "Fitbit's daily readiness"],
    [
      "data.metrics.hrv",
      "daily_heart_rate_variability; Daily Heart Rate Variability Summary.rmssd",
      "ms",
      "RMSSD, mean of a night",
    ],
    ["data.metrics.restingHeartRate", "daily_resting_heart_rate; resting_heart_rate; UserSleepScores", "beats/min"],
    ["data.metrics.spo2", "daily_oxygen_saturation; Daily SpO2", "percent", "mean of a night"],
    ["skinTempCelsius", "daily_sleep_temperature_derivations; Computed Temperature", "degrees Celsius"],
    ["skinTempDeviationCelsius", "nightly - baseline temperature", "degrees Celsius", "from the median of 30 nights"],
    ["sleepProviderId", "date"],
    ["cycleProviderId", "date"],
  ],
  workout: [
    ["data.start", "UserExercises.exercise_start; exercise.startTime", "UTC instant"],
    ["data.end", "UserExercises.exercise_end; exercise.startTime + duration", "UTC instant"],
    ["data.durationMs", "end - start", "ms", "pauses included"],
    ["data.sportType", "activity_name; activityName"],
    ["data.metrics.averageHeartRate", "tracker_avg_heart_rate; averageHeartRate", "beats/min"],
    ["data.metrics.maxHeartRate", "tracker_peak_heart_rate", "beats/min"],
    ["data.metrics.calories", "tracker_total_calories; calories", "kcal"],
    ["data.metrics.distance", "tracker_total_distance_mm / 1000; distance", "m"],
  ],
  cycle: [
    ["data.start", "local midnight", "UTC instant"],
    ["data.end", "the next local midnight", "UTC instant"],
    ["data.metrics.calories", "calories of one source", "kcal", "all energy burned, at rest too"],
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

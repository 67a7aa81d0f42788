import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Google Health has, by its API and, after a semicolon, by the files of Google Takeout. */
export const GOOGLE_HEALTH_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleep.interval.startTime; UserSleeps.sleep_start; sleep.startTime", "UTC instant"],
    ["endMs", "sleep.interval.endTime; UserSleeps.sleep_end; sleep.endTime", "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    [
      "isNap",
      "sleep.metadata.nap; sleep.mainSleep; else all but the longest of a date and what is less than two hours from a night",
    ],
    ["scorePercent", "UserSleepScores.overall_score; sleep_score.overall_score", "percent", "of Takeout alone"],
    ["stages.lightMs", "sleep.summary.stagesSummary LIGHT; UserSleepStages; sleep.levels.summary.light", "ms"],
    ["stages.deepMs", "sleep.summary.stagesSummary DEEP; UserSleepStages; sleep.levels.summary.deep", "ms"],
    ["stages.remMs", "sleep.summary.stagesSummary REM; UserSleepStages; sleep.levels.summary.rem", "ms"],
    ["stages.awakeMs", "sleep.summary.stagesSummary AWAKE; UserSleepStages; sleep.levels.summary.wake", "ms"],
    ["course", "sleep.stages; UserSleepStages; sleep.levels.data and shortData", "phases of 2 minutes"],
    ["asleepMs", "sleep.summary.minutesAsleep of a classic sleep", "ms"],
    [
      "efficiencyPercent",
      "sleep.summary.minutesAsleep / minutesInSleepPeriod; minutes asleep / time in bed",
      "percent",
    ],
    [
      "respiratoryRatePerMinute",
      "dailyRespiratoryRate.breathsPerMinute; daily_respiratory_rate; Daily Respiratory Rate Summary",
      "breaths/min",
    ],
    [
      "timesAwake",
      "sleep.summary.stagesSummary AWAKE, count; sleep.levels.summary.wake.count",
      "times",
      "segments awake, also before sleep and after it",
    ],
    [
      "latencyMs",
      "UserSleeps.minutes_to_fall_asleep; sleep.minutesToFallAsleep",
      "ms",
      "of Takeout alone, zero is none",
    ],
    [
      "contributors",
      "UserSleepScores, sleep_score: duration_score, composition_score, revitalization_score",
      "points",
      "of Takeout alone",
    ],
    ["startUtcOffsetMinutes", "sleep.interval.startUtcOffset; UserSleeps.start_utc_offset", "minutes"],
    ["endUtcOffsetMinutes", "sleep.interval.endUtcOffset; UserSleeps.end_utc_offset", "minutes"],
    ["device", "dataSource of a copy"],
  ],
  recovery: [
    [
      "scorePercent",
      "daily_readiness.score; Daily Readiness Score",
      "percent",
      "Fitbit's daily readiness, of Takeout alone",
    ],
    [
      "contributors",
      "Daily Readiness Score: activity_subcomponent, sleep_subcomponent, hrv_subcomponent",
      "points",
      "of Takeout alone",
    ],
    [
      "hrvMs",
      "dailyHeartRateVariability.averageHeartRateVariabilityMilliseconds; daily_heart_rate_variability; Daily Heart Rate Variability Summary.rmssd",
      "ms",
      "RMSSD, mean of a night",
    ],
    [
      "restingHeartRateBpm",
      "dailyRestingHeartRate.beatsPerMinute; daily_resting_heart_rate; resting_heart_rate; UserSleepScores",
      "beats/min",
    ],
    [
      "spo2Percent",
      "dailyOxygenSaturation.averagePercentage; daily_oxygen_saturation; Daily SpO2",
      "percent",
      "mean of a night",
    ],
    [
      "skinTempCelsius",
      "dailySleepTemperatureDerivations.nightlyTemperatureCelsius; daily_sleep_temperature_derivations; Computed Temperature",
      "degrees Celsius",
    ],
    ["skinTempDeviationCelsius", "nightly - baseline temperature", "degrees Celsius", "from the median of 30 nights"],
    ["sleepProviderId", "date"],
    ["cycleProviderId", "date of Takeout"],
    ["device", "dataSource of a copy"],
  ],
  workout: [
    ["startMs", "exercise.interval.startTime; UserExercises.exercise_start; exercise.startTime", "UTC instant"],
    ["endMs", "exercise.interval.endTime; UserExercises.exercise_end; exercise.startTime + duration", "UTC instant"],
    ["durationMs", "end - start", "ms", "pauses included"],
    ["sportType", "exercise.exerciseType; activity_name; activityName"],
    [
      "averageHeartRateBpm",
      "exercise.metricsSummary.averageHeartRateBeatsPerMinute; tracker_avg_heart_rate; averageHeartRate",
      "beats/min",
    ],
    ["maxHeartRateBpm", "tracker_peak_heart_rate", "beats/min", "of Takeout alone"],
    ["energyKcal", "exercise.metricsSummary.caloriesKcal; tracker_total_calories; calories", "kcal"],
    [
      "distanceMeters",
      "exercise.metricsSummary.distanceMillimeters / 1000; tracker_total_distance_mm / 1000; distance",
      "m",
    ],
    ["device", "dataSource of a copy"],
  ],
  cycle: [
    ["startMs", "local midnight", "UTC instant"],
    ["endMs", "the next local midnight", "UTC instant"],
    [
      "energyKcal",
      "totalCalories.kcalSum; calories of one source with all minutes",
      "kcal",
      "all energy burned, at rest too",
    ],
    ["activeEnergyKcal", "activeEnergyBurned.kcalSum; active_energy_burned of one source", "kcal", "beyond rest"],
    ["steps", "steps.countSum; steps of one source"],
    ["device", "data source of the steps in Takeout"],
    ["distanceMeters", "distance.millimetersSum / 1000; distance of one source", "m"],
  ],
  profile: [["data.body.heightMeters", "height / 1000", "m", "of Takeout alone"]],
})

/** The values within the day. All but the stages, weights and body fat are of Google Takeout alone. */
export const GOOGLE_HEALTH_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "heart_rate" },
  { type: "hrv", source: "heart_rate_variability; Heart Rate Variability Details", method: "rmssd" },
  { type: "spo2", source: "oxygen_saturation; Minute SpO2" },
  { type: "steps", source: "steps of one source, by minute" },
  { type: "distance", source: "distance of one source, by minute" },
  { type: "active_energy", source: "active_energy_burned of one source, by minute" },
  { type: "floors", source: "floors of one source, by minute; altitude / 10" },
  {
    type: "exercise_minutes",
    source:
      "active_minutes, moderate + very; moderately_active_minutes + very_active_minutes; minutes of Active Zone Minutes",
  },
  // @see https://support.google.com/fitbit/answer/14237928
  { type: "stress", source: "Stress Score", meaning: "Fitbit's score is higher with less stress" },
  { type: "sleep_stages", source: "sleep.stages; UserSleepStages; sleep.levels" },
  { type: "weight", source: "weight.weightGrams; weight" },
  { type: "body_fat", source: "bodyFat.percentage; body_fat; fat of old weights" },
  { type: "vo2max", source: "demographic_vo2max; daily_vo2_max; demographic_vo2_max" },
]

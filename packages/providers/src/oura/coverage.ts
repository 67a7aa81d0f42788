import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Oura delivers. @see https://cloud.ouraring.com/v2/docs */
export const OURA_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleep.bedtime_start", "UTC instant"],
    ["endMs", "sleep.bedtime_end", "UTC instant"],
    ["startUtcOffsetMinutes", "sleep.bedtime_start", "minutes"],
    ["endUtcOffsetMinutes", "sleep.bedtime_end", "minutes"],
    ["durationMs", "sleep.time_in_bed", "ms", "time in bed"],
    [
      "isNap",
      "sleep.type: long_sleep is a night, sleep and late_nap are naps, of others one of more than three hours is a night",
    ],
    ["scorePercent", "daily_sleep.score of the same day, for the longest night", "percent", "Oura's sleep score"],
    ["stages.lightMs", "sleep.light_sleep_duration", "ms"],
    ["stages.deepMs", "sleep.deep_sleep_duration", "ms"],
    ["stages.remMs", "sleep.rem_sleep_duration", "ms"],
    ["stages.awakeMs", "sleep.awake_time", "ms"],
    ["efficiencyPercent", "sleep.efficiency", "percent", "time asleep / time in bed"],
    ["respiratoryRatePerMinute", "sleep.average_breath", "breaths/min"],
    ["contributors", "daily_sleep.contributors of the same day, for the longest night", "points 1-100"],
    ["latencyMs", "sleep.latency", "ms", "from bedtime_start to the first sleep"],
    ["averageHeartRateBpm", "sleep.average_heart_rate", "beats/min"],
    ["lowestHeartRateBpm", "sleep.lowest_heart_rate", "beats/min"],
    ["lowestHeartRateAtMs", "the first lowest item of sleep.heart_rate", "epoch ms"],
    [
      "course",
      "sleep.sleep_phase_5_min, else sleep_phase_30_sec",
      "ms and phase",
      "a phase for each five minutes, or 30 seconds",
    ],
    ["cycleProviderId", "daily_activity.id of the date of waking"],
  ],
  recovery: [
    ["scorePercent", "daily_readiness.score", "percent", "Oura's readiness"],
    ["hrvMs", "sleep.average_hrv of the main sleep", "ms", "RMSSD, asleep"],
    ["restingHeartRateBpm", "sleep.lowest_heart_rate of the main sleep", "beats/min", "lowest of the night"],
    ["spo2Percent", "daily_spo2.spo2_percentage.average", "percent", "asleep"],
    ["skinTempDeviationCelsius", "daily_readiness.temperature_deviation", "degrees Celsius", "from Oura's baseline"],
    ["contributors", "daily_readiness.contributors", "points 1-100"],
    ["sleepProviderId", "sleep.id of the main sleep"],
    ["cycleProviderId", "daily_activity.id of the same date"],
  ],
  workout: [
    ["startMs", "workout.start_datetime", "UTC instant"],
    ["endMs", "workout.end_datetime", "UTC instant"],
    ["startUtcOffsetMinutes", "workout.start_datetime", "minutes"],
    ["endUtcOffsetMinutes", "workout.end_datetime", "minutes"],
    ["durationMs", "workout.end_datetime - start_datetime", "ms", "pauses included"],
    ["sportType", "workout.activity"],
    ["energyKcal", "workout.calories", "kcal"],
    ["distanceMeters", "workout.distance", "m"],
  ],
  cycle: [
    ["startMs", "daily_activity.timestamp", "UTC instant", "04:00 local"],
    ["endMs", "daily_activity.timestamp of the next day, else 24 hours after the start", "UTC instant"],
    ["startUtcOffsetMinutes", "daily_activity.timestamp", "minutes"],
    ["endUtcOffsetMinutes", "daily_activity.timestamp of the next day", "minutes"],
    ["energyKcal", "daily_activity.total_calories", "kcal", "all energy burned, at rest too"],
    ["activeEnergyKcal", "daily_activity.active_calories", "kcal", "beyond rest"],
    ["steps", "daily_activity.steps"],
    ["contributors", "daily_activity.contributors", "points 1-100"],
    [
      "distanceMeters",
      "daily_activity.equivalent_walking_distance",
      "m",
      "an equivalent: how far one would walk for the same energy",
    ],
  ],
  profile: [
    ["data.email", "email"],
    ["data.body.heightMeters", "height", "m"],
    ["data.body.weightKilograms", "weight", "kg"],
  ],
})

/** The values within the day that Oura delivers. */
export const OURA_SERIES: readonly SeriesCoverage[] = [
  {
    type: "heart_rate",
    source: "heartrate.bpm, and where it has none sleep.heart_rate: a value for each five minutes asleep",
  },
  { type: "hrv", source: "sleep.hrv: a value for each five minutes asleep", method: "rmssd" },
  { type: "sleep_stages", source: "sleep.sleep_phase_5_min, else sleep_phase_30_sec" },
]

import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Withings delivers. Paths begin with the call that gives them. @see https://developer.withings.com/api-reference */
export const WITHINGS_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleep.startdate", "UTC instant"],
    ["endMs", "sleep.enddate", "UTC instant"],
    ["durationMs", "sleep.data.total_timeinbed; enddate - startdate without it", "ms", "time in bed"],
    ["isNap", "shorter than three hours, two hours or more from the longest sleep that ends on the date"],
    ["scorePercent", "sleep.data.sleep_score", "percent"],
    ["stages.lightMs", "sleep.data.lightsleepduration", "ms"],
    ["stages.deepMs", "sleep.data.deepsleepduration", "ms"],
    ["stages.remMs", "sleep.data.remsleepduration", "ms"],
    ["stages.awakeMs", "sleep.data.wakeupduration", "ms"],
    ["asleepMs", "sleep.data.total_sleep_time, or else asleepduration", "ms"],
    ["efficiencyPercent", "sleep.data.sleep_efficiency * 100", "percent"],
    ["respiratoryRatePerMinute", "sleep.data.rr_average", "breaths/min"],
    ["timesAwake", "sleep.data.wakeupcount", "times", "awake in bed, without getting up"],
    ["latencyMs", "sleep.data.sleep_latency", "ms"],
    ["averageHeartRateBpm", "sleep.data.hr_average", "beats/min"],
    ["lowestHeartRateBpm", "sleep.data.hr_min", "beats/min"],
    ["course", "sleep_details.series.state", "stage of each two minutes"],
    ["device", "sleep.model"],
  ],
  recovery: [
    ["hrvMs", "sleep_details.series.rmssd; else rmssd_start_avg and rmssd_end_avg", "ms", "mean RMSSD of the night"],
    ["spo2Percent", "spo2.percent", "percent", "the newest of the date"],
    ["sleepProviderId", "sleep.id"],
    ["device", "sleep.model"],
  ],
  workout: [
    ["startMs", "startdate", "UTC instant"],
    ["endMs", "enddate", "UTC instant"],
    ["durationMs", "enddate - startdate", "ms", "pauses included"],
    ["sportType", "category"],
    ["averageHeartRateBpm", "data.hr_average", "beats/min"],
    ["maxHeartRateBpm", "data.hr_max", "beats/min"],
    ["energyKcal", "data.calories, or else manual_calories", "kcal"],
    ["distanceMeters", "data.distance, or else manual_distance", "m"],
    ["device", "model"],
  ],
  cycle: [
    ["startMs", "date: its first instant in the time zone", "UTC instant"],
    ["endMs", "date: the first instant of the next one", "UTC instant"],
    ["startUtcOffsetMinutes", "timezone", "minutes"],
    ["endUtcOffsetMinutes", "timezone", "minutes"],
    ["averageHeartRateBpm", "hr_average", "beats/min"],
    ["maxHeartRateBpm", "hr_max", "beats/min"],
    ["energyKcal", "totalcalories", "kcal", "all energy burned, at rest too"],
    ["activeEnergyKcal", "calories", "kcal"],
    ["steps", "steps", "steps"],
    ["distanceMeters", "distance", "m"],
  ],
  profile: [
    ["data.body.heightMeters", "the newest measure of type 4", "m"],
    ["data.body.weightKilograms", "the newest measure of type 1", "kg"],
  ],
})

/** Values within nights, and measures. */
export const WITHINGS_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "sleep_details.series.hr" },
  { type: "hrv", source: "sleep_details.series.rmssd", method: "rmssd" },
  { type: "sleep_stages", source: "sleep_details.series.state" },
  { type: "weight", source: "measures of type 1" },
  { type: "body_fat", source: "measures of type 6" },
  { type: "blood_pressure_systolic", source: "measures of type 10" },
  { type: "blood_pressure_diastolic", source: "measures of type 9" },
  { type: "vo2max", source: "measures of type 123" },
]

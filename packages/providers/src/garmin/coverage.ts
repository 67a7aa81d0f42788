import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Garmin's archive has. */
export const GARMIN_COVERAGE = coverageOf({
  sleep: [
    ["data.start", "sleepData.sleepStartTimestampGMT; napList.napStartTimestampGMT", "UTC instant"],
    ["data.end", "sleepData.sleepEndTimestampGMT; napList.napEndTimestampGMT", "UTC instant"],
    ["data.durationMs", "end - start", "ms", "time in bed"],
    ["data.isNap", "true for napList"],
    ["data.score", "sleepData.sleepScores.overallScore", "percent"],
    ["data.stages.lightMs", "sleepData.lightSleepSeconds", "ms"],
    ["data.stages.deepMs", "sleepData.deepSleepSeconds", "ms"],
    ["data.stages.remMs", "sleepData.remSleepSeconds", "ms"],
    ["data.stages.awakeMs", "sleepData.awakeSleepSeconds", "ms"],
    ["course", "FIT sleep_level", "phases of 2 minutes", "where its sums are those of sleepData"],
    ["data.metrics.respiratoryRate", "healthStatusData RESPIRATION, or sleepData.averageRespiration", "breaths/min"],
    ["startUtcOffsetMinutes", "UDSFile.wellnessStartTimeLocal - wellnessStartTimeGmt", "minutes"],
    ["endUtcOffsetMinutes", "UDSFile.wellnessStartTimeLocal - wellnessStartTimeGmt", "minutes"],
  ],
  recovery: [
    ["data.score", "TrainingReadinessDTO.score after waking up", "percent", "Garmin's training readiness"],
    [
      "data.metrics.hrv",
      "healthStatusData HRV, or FIT hrv_status_summary.last_night_average",
      "ms",
      "RMSSD, mean of a night",
    ],
    ["data.metrics.restingHeartRate", "UDSFile.restingHeartRate", "beats/min", "Garmin smooths it over days"],
    [
      "data.metrics.spo2",
      "healthStatusData SPO2, or sleepData.spo2SleepSummary.averageSPO2",
      "percent",
      "mean of a night",
    ],
    ["skinTempDeviationCelsius", "healthStatusData SKIN_TEMP_C", "degrees Celsius", "Garmin's own deviation"],
    ["sleepProviderId", "calendarDate"],
    ["cycleProviderId", "calendarDate"],
  ],
  workout: [
    ["data.start", "summarizedActivities.startTimeGmt", "UTC instant"],
    ["data.end", "startTimeGmt + elapsedDuration, or duration", "UTC instant"],
    ["data.durationMs", "elapsedDuration, or duration", "ms", "pauses included"],
    ["data.sportType", "activityType, or sportType"],
    ["data.metrics.averageHeartRate", "avgHr", "beats/min"],
    ["data.metrics.maxHeartRate", "maxHr", "beats/min"],
    ["data.metrics.calories", "calories", "kcal", "divided by 4.184 in files that have kilojoules"],
    ["data.metrics.distance", "distance / 100", "m"],
    ["zones", "hrTimeInZone_0 to hrTimeInZone_6", "ms", "zone 6 counts as zone 5"],
  ],
  cycle: [
    ["data.start", "UDSFile.wellnessStartTimeGmt", "UTC instant"],
    ["data.end", "UDSFile.wellnessEndTimeGmt", "UTC instant"],
    ["data.metrics.averageHeartRate", "UDSFile.averageHeartRate", "beats/min"],
    ["data.metrics.maxHeartRate", "UDSFile.maxHeartRate", "beats/min"],
    ["data.metrics.calories", "UDSFile.totalKilocalories", "kcal", "all energy burned, at rest too"],
    ["activeCalories", "UDSFile.activeKilocalories", "kcal", "beyond rest"],
    ["steps", "UDSFile.totalSteps"],
    ["distanceMeters", "UDSFile.totalDistanceMeters", "m"],
  ],
  profile: [
    ["data.body.heightMeters", "userBioMetrics.height / 100", "m"],
    ["data.body.weightKilograms", "userBioMetrics.weight.weight / 1000", "kg"],
  ],
})

/** The values within the day that Garmin's archive has. */
export const GARMIN_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "FIT monitoring.heart_rate" },
  { type: "hrv", source: "FIT hrv_value: a value for each five minutes asleep", method: "rmssd" },
  { type: "sleep_stages", source: "FIT sleep_level" },
  { type: "weight", source: "userBioMetrics.weight.weight / 1000" },
]

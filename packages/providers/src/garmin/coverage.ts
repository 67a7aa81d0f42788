import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Garmin's archive has. */
export const GARMIN_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleepData.sleepStartTimestampGMT; napList.napStartTimestampGMT", "UTC instant"],
    ["endMs", "sleepData.sleepEndTimestampGMT; napList.napEndTimestampGMT", "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    ["isNap", "true for napList"],
    ["scorePercent", "sleepData.sleepScores.overallScore", "percent"],
    ["stages.lightMs", "sleepData.lightSleepSeconds", "ms"],
    ["stages.deepMs", "sleepData.deepSleepSeconds", "ms"],
    ["stages.remMs", "sleepData.remSleepSeconds", "ms"],
    ["stages.awakeMs", "sleepData.awakeSleepSeconds", "ms"],
    ["course", "FIT sleep_level", "phases of 2 minutes", "where its sums are those of sleepData"],
    ["respiratoryRatePerMinute", "healthStatusData RESPIRATION, or sleepData.averageRespiration", "breaths/min"],
    ["timesAwake", "sleepData.awakeCount", "times"],
    ["contributors", "sleepData.sleepScores but overallScore", "points 0-100"],
    ["startUtcOffsetMinutes", "UDSFile.wellnessStartTimeLocal - wellnessStartTimeGmt", "minutes"],
    ["endUtcOffsetMinutes", "UDSFile.wellnessStartTimeLocal - wellnessStartTimeGmt", "minutes"],
  ],
  recovery: [
    ["scorePercent", "TrainingReadinessDTO.score after waking up", "percent", "Garmin's training readiness"],
    ["hrvMs", "healthStatusData HRV, or FIT hrv_status_summary.last_night_average", "ms", "RMSSD, mean of a night"],
    ["restingHeartRateBpm", "UDSFile.restingHeartRate", "beats/min", "Garmin smooths it over days"],
    ["spo2Percent", "healthStatusData SPO2, or sleepData.spo2SleepSummary.averageSPO2", "percent", "mean of a night"],
    ["skinTempDeviationCelsius", "healthStatusData SKIN_TEMP_C", "degrees Celsius", "Garmin's own deviation"],
    ["contributors", "TrainingReadinessDTO.*FactorPercent of the same row", "percent"],
    ["sleepProviderId", "calendarDate"],
    ["cycleProviderId", "calendarDate"],
  ],
  workout: [
    ["startMs", "summarizedActivities.startTimeGmt", "UTC instant"],
    ["endMs", "startTimeGmt + elapsedDuration, or duration", "UTC instant"],
    ["durationMs", "elapsedDuration, or duration", "ms", "pauses included"],
    ["sportType", "activityType, or sportType"],
    ["averageHeartRateBpm", "avgHr", "beats/min"],
    ["maxHeartRateBpm", "maxHr", "beats/min"],
    ["energyKcal", "calories", "kcal", "divided by 4.184 in files that have kilojoules"],
    ["distanceMeters", "distance / 100", "m"],
    ["zones", "hrTimeInZone_0 to hrTimeInZone_6", "ms", "zone 6 counts as zone 5"],
  ],
  cycle: [
    ["startMs", "UDSFile.wellnessStartTimeGmt", "UTC instant"],
    ["endMs", "UDSFile.wellnessEndTimeGmt", "UTC instant"],
    ["averageHeartRateBpm", "UDSFile.averageHeartRate", "beats/min"],
    ["maxHeartRateBpm", "UDSFile.maxHeartRate", "beats/min"],
    ["energyKcal", "UDSFile.totalKilocalories", "kcal", "all energy burned, at rest too"],
    ["activeEnergyKcal", "UDSFile.activeKilocalories", "kcal", "beyond rest"],
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
  { type: "heart_rate", source: "FIT monitoring.heart_rate, FIT record.heart_rate of activities" },
  { type: "hrv", source: "FIT hrv_value: a value for each five minutes asleep", method: "rmssd" },
  { type: "sleep_stages", source: "FIT sleep_level" },
  { type: "floors", source: "UDSFile.floorsAscendedInMeters / 3.048" },
  { type: "exercise_minutes", source: "UDSFile.moderateIntensityMinutes + vigorousIntensityMinutes" },
  { type: "stress", source: "UDSFile.allDayStress of type TOTAL, averageStressLevel" },
  { type: "vo2max", source: "userBioMetrics.vo2MaxRunning, or vo2MaxCycling" },
  { type: "weight", source: "userBioMetrics.weight.weight / 1000" },
]

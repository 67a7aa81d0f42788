import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

const XIAOMI = "XIAOMI_SLEEP_TIME_SAMPLE"
const HUAMI = "HUAMI_EXTENDED_ACTIVITY_SAMPLE"

/** The normalised fields that Gadgetbridge's database has. */
export const GADGETBRIDGE_COVERAGE = coverageOf({
  sleep: [
    ["startMs", `${XIAOMI}.TIMESTAMP, or the first minute asleep of ${HUAMI}`, "UTC instant"],
    ["endMs", `${XIAOMI}.WAKEUP_TIME, or the last minute asleep of ${HUAMI}`, "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    [
      "isNap",
      "under 3 hours asleep, not for the most part between 0 and 5 o'clock, and two hours or more from a night",
    ],
    ["stages.lightMs", `XIAOMI_SLEEP_STAGE_SAMPLE, or ${XIAOMI}, or minutes of ${HUAMI} that are nothing else`, "ms"],
    ["stages.deepMs", `XIAOMI_SLEEP_STAGE_SAMPLE, or ${XIAOMI}, or ${HUAMI}.DEEP_SLEEP above 42`, "ms"],
    ["stages.remMs", `XIAOMI_SLEEP_STAGE_SAMPLE, or ${XIAOMI}, or ${HUAMI}.REM_SLEEP above 55`, "ms"],
    ["stages.awakeMs", `XIAOMI_SLEEP_STAGE_SAMPLE, or ${XIAOMI}, or minutes between those asleep of ${HUAMI}`, "ms"],
    ["asleepMs", `${XIAOMI}.TOTAL_DURATION, or minutes asleep of ${HUAMI}, of nights without stages`, "ms"],
    ["course", `XIAOMI_SLEEP_STAGE_SAMPLE, ${HUAMI}`, "phases of 2 minutes"],
    ["efficiencyPercent", "time asleep / (end - start)", "percent"],
    ["respiratoryRatePerMinute", "mean of HUAMI_SLEEP_RESPIRATORY_RATE_SAMPLE within the sleep", "breaths/min"],
    ["startUtcOffsetMinutes", "UTC_OFFSET or TIMEZONE of the nearest row, or the person's time zone", "minutes"],
    ["endUtcOffsetMinutes", "UTC_OFFSET or TIMEZONE of the nearest row, or the person's time zone", "minutes"],
    ["device", "DEVICE.ALIAS, or NAME"],
  ],
  recovery: [
    ["hrvMs", "mean of GENERIC_HRV_VALUE_SAMPLE within the main sleep", "ms", "RMSSD"],
    ["restingHeartRateBpm", "XIAOMI_DAILY_SUMMARY_SAMPLE.HR_RESTING, HUAMI_HEART_RATE_RESTING_SAMPLE", "beats/min"],
    ["spo2Percent", "mean of HUAMI_SPO2_SAMPLE or XIAOMI_ACTIVITY_SAMPLE.SPO2 within the main sleep", "percent"],
    ["sleepProviderId", "the main sleep of the date"],
    ["cycleProviderId", "the date"],
    ["device", "DEVICE.ALIAS, or NAME"],
  ],
  workout: [
    ["startMs", "BASE_ACTIVITY_SUMMARY.START_TIME", "UTC instant"],
    ["endMs", "BASE_ACTIVITY_SUMMARY.END_TIME", "UTC instant"],
    ["durationMs", "activeSeconds, else end - start", "ms"],
    ["sportType", "BASE_ACTIVITY_SUMMARY.ACTIVITY_KIND"],
    ["averageHeartRateBpm", "averageHR", "beats/min"],
    ["maxHeartRateBpm", "maxHR", "beats/min"],
    ["energyKcal", "caloriesBurnt", "kcal"],
    ["distanceMeters", "distanceMeters", "m"],
    ["device", "DEVICE.ALIAS, or NAME"],
  ],
  cycle: [
    ["startMs", "local midnight", "UTC instant"],
    ["endMs", "local midnight of the next date", "UTC instant"],
    ["steps", "STEPS of each minute", "count", "at each moment of one device"],
    ["distanceMeters", "XIAOMI_ACTIVITY_SAMPLE.DISTANCE_CM / 100", "m", "at each moment of one device"],
    ["device", "DEVICE.ALIAS, or NAME"],
  ],
  profile: [],
})

/** The values within the day that Gadgetbridge's database has. */
export const GADGETBRIDGE_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "HEART_RATE of each minute, HUAMI_HEART_RATE_MANUAL_SAMPLE" },
  { type: "hrv", source: "GENERIC_HRV_VALUE_SAMPLE", method: "rmssd" },
  { type: "spo2", source: "HUAMI_SPO2_SAMPLE, XIAOMI_ACTIVITY_SAMPLE.SPO2" },
  { type: "respiratory_rate", source: "HUAMI_SLEEP_RESPIRATORY_RATE_SAMPLE" },
  { type: "steps", source: "STEPS of each minute" },
  { type: "distance", source: "XIAOMI_ACTIVITY_SAMPLE.DISTANCE_CM / 100" },
  { type: "stress", source: "XIAOMI_ACTIVITY_SAMPLE.STRESS, HUAMI_STRESS_SAMPLE" },
  { type: "sleep_stages", source: `XIAOMI_SLEEP_STAGE_SAMPLE, ${HUAMI}` },
]

import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

const STAGE_EVENTS = "events DEEP_, LIGHT_, REM_ and AWAKE_START and _END"

/** The normalised fields that Sleep as Android's export has. */
export const SLEEP_AS_ANDROID_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "Id", "UTC instant"],
    ["endMs", "To in Tz", "UTC instant"],
    ["durationMs", "end - start", "ms", "time in bed"],
    [
      "isNap",
      "under 3 hours asleep, not for the most part between 0 and 5 o'clock, and two hours or more from a night",
    ],
    ["stages.lightMs", STAGE_EVENTS, "ms", "by movement, or of a paired wearable"],
    ["stages.deepMs", STAGE_EVENTS, "ms", "by movement, or of a paired wearable"],
    ["stages.remMs", STAGE_EVENTS, "ms", "by movement, or of a paired wearable"],
    ["stages.awakeMs", STAGE_EVENTS, "ms", "by movement, or of a paired wearable"],
    ["asleepMs", "Hours + LenAdjust, of nights without stages, or whose stages add up to another time", "ms"],
    ["course", STAGE_EVENTS, "phases of 2 minutes"],
    ["efficiencyPercent", "time asleep / (end - start)", "percent"],
    ["startUtcOffsetMinutes", "Tz", "minutes"],
    ["endUtcOffsetMinutes", "Tz", "minutes"],
  ],
  recovery: [
    ["spo2Percent", "mean of the events SPO2 within the main sleep", "percent", "of a paired wearable"],
    ["sleepProviderId", "the main sleep of the date"],
    ["cycleProviderId", "the date"],
  ],
  workout: [],
  cycle: [],
  profile: [],
})

/** The values within the day that Sleep as Android's export has. */
export const SLEEP_AS_ANDROID_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "events HR of a paired wearable" },
  { type: "spo2", source: "events SPO2 of a paired wearable" },
  { type: "sleep_stages", source: STAGE_EVENTS },
]

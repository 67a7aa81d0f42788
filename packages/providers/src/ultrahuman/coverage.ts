import type { SeriesCoverage } from "../contract/series.ts"
import { coverageOf } from "../normalize/read-records.ts"

/** The normalised fields that Ultrahuman delivers. @see https://vision.ultrahuman.com/developer-docs */
export const ULTRAHUMAN_COVERAGE = coverageOf({
  sleep: [
    ["startMs", "sleep.bedtime_start", "UTC instant"],
    ["endMs", "sleep.bedtime_end", "UTC instant"],
    ["utcOffsetMinutes", "latest_time_zone, as it is when the night is first read", "minutes"],
    ["durationMs", "sleep.time_in_bed.minutes, or else bedtime_end - bedtime_start", "ms"],
    ["scorePercent", "sleep.sleep_score.score", "percent"],
    ["efficiencyPercent", "sleep.sleep_efficiency.percentage", "percent"],
    ["stages.lightMs", "sleep.light_sleep.minutes, or else sleep_stages", "ms"],
    ["stages.deepMs", "sleep.deep_sleep.minutes, or else sleep_stages", "ms"],
    ["stages.remMs", "sleep.rem_sleep.minutes, or else sleep_stages", "ms"],
    ["stages.awakeMs", "sleep.sleep_stages, or else sleep_graph", "ms"],
    ["asleepMs", "sleep.total_sleep.minutes, where the stages do not add up to it", "ms"],
    ["course", "sleep.sleep_graph"],
  ],
  recovery: [
    ["scorePercent", "recovery_index.value", "percent", "Ultrahuman's recovery index"],
    ["hrvMs", "avg_sleep_hrv.value", "ms", "Ultrahuman does not say how it is computed"],
    ["restingHeartRateBpm", "sleep_rhr.value, or else night_rhr.avg", "beats/min"],
    ["spo2Percent", "sleep.spo2.value, or else spo2.avg", "percent"],
    ["skinTempCelsius", "sleep.average_body_temperature.celsius", "degrees Celsius", "of the skin"],
    ["skinTempDeviationCelsius", "sleep.temperature_deviation.celsius", "degrees Celsius"],
  ],
  workout: [],
  cycle: [
    ["startMs", "date: its first instant in latest_time_zone", "UTC instant"],
    ["endMs", "date: the first instant of the next date", "UTC instant"],
    ["utcOffsetMinutes", "latest_time_zone, as it is when the day is first read", "minutes"],
    ["steps", "steps.total", "steps"],
  ],
  profile: [],
})

/** Values within the day. Those of `hrv` are of no method that the vendor names. */
export const ULTRAHUMAN_SERIES: readonly SeriesCoverage[] = [
  { type: "heart_rate", source: "hr.values" },
  { type: "hrv", source: "hrv.values" },
  { type: "spo2", source: "spo2.values" },
  { type: "skin_temperature", source: "temp.values" },
]

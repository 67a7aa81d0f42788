import { type FieldCoverage, RECORD_KINDS } from "../contract/records.ts"
import { known } from "../normalize/known.ts"

/** Field, source in WHOOP's record, unit and method. */
type Row = readonly [field: string, source: string, unit?: string, method?: string]

const ROWS: Readonly<Record<FieldCoverage["kind"], readonly Row[]>> = {
  sleep: [
    ["data.start", "start", "UTC instant"],
    ["data.end", "end", "UTC instant"],
    [
      "data.durationMs",
      "score.stage_summary.total_in_bed_time_milli; end - start before it is scored",
      "ms",
      "time in bed",
    ],
    ["data.isNap", "nap"],
    [
      "data.score",
      "score.sleep_performance_percentage",
      "percent",
      "time asleep against the sleep WHOOP says was needed",
    ],
    ["data.stages.lightMs", "score.stage_summary.total_light_sleep_time_milli", "ms"],
    ["data.stages.deepMs", "score.stage_summary.total_slow_wave_sleep_time_milli", "ms"],
    ["data.stages.remMs", "score.stage_summary.total_rem_sleep_time_milli", "ms"],
    ["data.stages.awakeMs", "score.stage_summary.total_awake_time_milli", "ms"],
    ["data.metrics.efficiency", "score.sleep_efficiency_percentage", "percent", "time asleep / time in bed"],
    ["data.metrics.respiratoryRate", "score.respiratory_rate", "breaths/min"],
    ["consistencyPercent", "score.sleep_consistency_percentage", "percent"],
    ["needMs", "sum of score.sleep_needed", "ms", "baseline, sleep debt, strain and naps (negative)"],
    ["needParts.baselineMs", "score.sleep_needed.baseline_milli", "ms"],
    ["needParts.debtMs", "score.sleep_needed.need_from_sleep_debt_milli", "ms"],
    ["needParts.strainMs", "score.sleep_needed.need_from_recent_strain_milli", "ms"],
    ["needParts.napMs", "score.sleep_needed.need_from_recent_nap_milli", "ms", "zero or negative"],
    ["cycleProviderId", "cycle_id"],
  ],
  recovery: [
    ["data.score", "score.recovery_score", "percent"],
    ["data.metrics.hrv", "score.hrv_rmssd_milli", "ms", "RMSSD, asleep"],
    ["data.metrics.restingHeartRate", "score.resting_heart_rate", "beats/min", "asleep"],
    ["data.metrics.spo2", "score.spo2_percentage", "percent", "WHOOP 4.0 on"],
    ["skinTempCelsius", "score.skin_temp_celsius", "degrees Celsius", "absolute; WHOOP 4.0 on"],
    ["sleepProviderId", "sleep_id"],
    ["cycleProviderId", "cycle_id"],
  ],
  workout: [
    ["data.start", "start", "UTC instant"],
    ["data.end", "end", "UTC instant"],
    ["data.durationMs", "end - start", "ms", "pauses included"],
    ["data.sportType", "sport_name, or sport_id"],
    ["data.strain", "score.strain", "0-21", "logarithmic"],
    ["data.metrics.averageHeartRate", "score.average_heart_rate", "beats/min"],
    ["data.metrics.maxHeartRate", "score.max_heart_rate", "beats/min"],
    ["data.metrics.calories", "score.kilojoule / 4.184", "kcal"],
    ["data.metrics.distance", "score.distance_meter", "m"],
    ["zones", "score.zone_durations", "ms", "WHOOP's zones 0 to 5"],
  ],
  cycle: [
    ["data.start", "start", "UTC instant"],
    ["data.end", "end", "UTC instant"],
    ["data.strain", "score.strain", "0-21", "logarithmic"],
    ["data.metrics.averageHeartRate", "score.average_heart_rate", "beats/min"],
    ["data.metrics.maxHeartRate", "score.max_heart_rate", "beats/min"],
    ["data.metrics.calories", "score.kilojoule / 4.184", "kcal", "all energy burned, at rest too"],
  ],
  profile: [
    ["data.firstName", "profile.first_name"],
    ["data.lastName", "profile.last_name"],
    ["data.email", "profile.email"],
    ["data.body.heightMeters", "body.height_meter", "m"],
    ["data.body.weightKilograms", "body.weight_kilogram", "kg"],
    ["data.body.maxHeartRate", "body.max_heart_rate", "beats/min"],
  ],
}

/** The normalised fields that WHOOP delivers. @see https://developer.whoop.com/api */
export const WHOOP_COVERAGE: readonly FieldCoverage[] = ([...RECORD_KINDS, "profile"] as const).flatMap((kind) =>
  ROWS[kind].map(([field, source, unit, method]) => ({ kind, field, source, ...known({ unit, method }) })),
)

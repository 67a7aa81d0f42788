/* A record as an answer writes it. Rounding is exact; what is unknown is null. */
import { dividedBy, exactly, type Fraction, inHours, rounded } from "../exact.ts"
import {
  type MeasuredCycle,
  type MeasuredRecovery,
  type MeasuredSleep,
  type MeasuredWorkout,
  offsetText,
} from "./measured.ts"
import { hrvMethodOf } from "./truth.ts"

export const tidied = (value: Fraction | null, decimals: number): number | null => value && rounded(value, decimals)

const tidy = (value: number | undefined, decimals: number): number | null =>
  value === undefined ? null : rounded(exactly(value), decimals)

const hours = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : inHours(exactly(milliseconds))

const MINUTE = exactly(60_000)

const contributorsOf = ({ contributors = [] }: Pick<MeasuredSleep["record"], "contributors">): object[] =>
  contributors.map(({ name, value, unit }) => ({ name, value: tidy(value, 1), unit }))

const utc = (at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toString({ fractionalSecondDigits: 3 })

const localClock = (at: Date, offsetMinutes: number): string => {
  const offset = offsetText(offsetMinutes)
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(offset).toPlainDateTime()
  return `${wall.toString({ fractionalSecondDigits: 0, roundingMode: "floor" })}${offset}`
}

interface Times {
  readonly startMs: number
  readonly endMs: number | null
  readonly utcOffsetMinutes: number
  readonly startUtcOffsetMinutes?: number
  readonly endUtcOffsetMinutes?: number
}

/** In UTC, and each on the clock of its own moment where the vendor gives both. */
const times = ({ startMs, endMs, utcOffsetMinutes: offset, ...own }: Times) => {
  const [start, end] = [new Date(startMs), endMs === null ? null : new Date(endMs)]
  return {
    start: utc(start),
    end: end && utc(end),
    start_local: localClock(start, own.startUtcOffsetMinutes ?? offset),
    end_local: end && localClock(end, own.endUtcOffsetMinutes ?? offset),
  }
}

/** Light, deep and REM sleep, or the figure of a device without stages. */
export const asleepMs = ({ stages, asleepMs: whole }: MeasuredSleep["record"]): number | undefined =>
  stages === undefined ? whole : stages.lightMs + stages.deepMs + (stages.remMs ?? 0)

export function sleepRecord({ record, provider, date }: MeasuredSleep) {
  return {
    id: `${provider}-${record.providerId}`,
    date,
    ...times(record),
    duration_hours: hours(record.durationMs),
    asleep_hours: hours(asleepMs(record)),
    need_hours: hours(record.needMs),
    is_nap: record.isNap,
    score_state: record.scoreState,
    score: {
      performance: tidy(record.scorePercent, 1),
      efficiency: tidy(record.efficiencyPercent, 1),
      consistency: tidy(record.consistencyPercent, 1),
    },
    stages: {
      light_hours: hours(record.stages?.lightMs),
      deep_hours: hours(record.stages?.deepMs),
      rem_hours: hours(record.stages?.remMs),
      awake_hours: hours(record.stages?.awakeMs),
    },
    respiratory_rate: tidy(record.respiratoryRatePerMinute, 1),
    times_awake: tidy(record.timesAwake, 0),
    latency_minutes: record.latencyMs === undefined ? null : rounded(dividedBy(exactly(record.latencyMs), MINUTE), 1),
    contributors: record.needParts
      ? [
          ["need_baseline", record.needParts.baselineMs],
          ["need_from_sleep_debt", record.needParts.debtMs],
          ["need_from_recent_strain", record.needParts.strainMs],
          ["need_from_recent_nap", record.needParts.napMs],
        ].map(([name, ms]) => ({ name, value: hours(Number(ms)), unit: "h" }))
      : contributorsOf(record),
  }
}

export function recoveryRecord({ record, provider, date, deviation }: MeasuredRecovery): object {
  const cycleId = record.cycleProviderId ?? (provider === "oura" || provider === "whoop" ? undefined : date)
  return {
    cycle_id: cycleId === undefined ? null : `${provider}-${cycleId}`,
    date,
    score_state: record.scoreState,
    score: tidy(record.scorePercent, 1),
    hrv: tidy(record.hrvMs, 1),
    hrv_method: record.hrvMs === undefined ? null : hrvMethodOf(provider),
    resting_heart_rate: tidy(record.restingHeartRateBpm, 0),
    spo2: tidy(record.spo2Percent, 1),
    skin_temp_celsius: tidy(record.skinTempCelsius, 1),
    skin_temp_deviation_celsius: tidied(deviation, 1),
    contributors: contributorsOf(record),
  }
}

/** Whole seconds for a kilometre of a run or a walk. */
function paceOf({ sportType, durationMs, distanceMeters = 0 }: MeasuredWorkout["record"]): number | null {
  if (distanceMeters <= 0 || (sportType !== "running" && sportType !== "walking")) return null
  return rounded(dividedBy(exactly(durationMs), exactly(distanceMeters)), 0)
}

export function workoutRecord({ record, provider, date }: MeasuredWorkout): object {
  const { zones } = record
  return {
    id: `${provider}-${record.providerId}`,
    date,
    ...times(record),
    duration_hours: hours(record.durationMs),
    sport_type: record.sportType,
    score_state: record.scoreState,
    strain: tidy(record.strain, 1),
    average_heart_rate: tidy(record.averageHeartRateBpm, 0),
    max_heart_rate: tidy(record.maxHeartRateBpm, 0),
    calories: tidy(record.energyKcal, 0),
    distance_meters: tidy(record.distanceMeters, 1),
    pace_seconds_per_km: paceOf(record),
    time_zone_offset_minutes: record.startUtcOffsetMinutes ?? record.utcOffsetMinutes,
    zones: zones
      ? {
          zone_0_hours: hours(zones.zone0Ms),
          zone_1_hours: hours(zones.zone1Ms),
          zone_2_hours: hours(zones.zone2Ms),
          zone_3_hours: hours(zones.zone3Ms),
          zone_4_hours: hours(zones.zone4Ms),
          zone_5_hours: hours(zones.zone5Ms),
        }
      : null,
    contributors: contributorsOf(record),
  }
}

export function cycleRecord({ record, provider, date }: MeasuredCycle): object {
  return {
    id: `${provider}-${record.providerId}`,
    date,
    ...times(record),
    score_state: record.scoreState,
    strain: tidy(record.strain, 1),
    calories: tidy(record.energyKcal, 0),
    average_heart_rate: tidy(record.averageHeartRateBpm, 0),
    max_heart_rate: tidy(record.maxHeartRateBpm, 0),
    steps: tidy(record.steps, 0),
    active_calories: tidy(record.activeEnergyKcal, 0),
    distance_meters: tidy(record.distanceMeters, 1),
    contributors: contributorsOf(record),
  }
}

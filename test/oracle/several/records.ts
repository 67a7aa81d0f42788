/* A record as an answer writes it. Rounding is exact; what is unknown is null. */
import { dividedBy, exactly, type Fraction, rounded } from "../exact.ts"
import {
  type MeasuredCycle,
  type MeasuredRecovery,
  type MeasuredSleep,
  type MeasuredWorkout,
  offsetText,
} from "./measured.ts"
import { hrvMethodOf } from "./truth.ts"

const HOUR_MS = exactly(3_600_000)

export const tidied = (value: Fraction | null, decimals: number): number | null => value && rounded(value, decimals)

const tidy = (value: number | undefined, decimals: number): number | null =>
  value === undefined ? null : rounded(exactly(value), decimals)

export const inHours = (milliseconds: Fraction | null): number | null =>
  milliseconds && rounded(dividedBy(milliseconds, HOUR_MS), 2)

const hours = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : inHours(exactly(milliseconds))

const utc = (at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toString({ fractionalSecondDigits: 3 })

const localClock = (at: Date, offsetMinutes: number): string => {
  const offset = offsetText(offsetMinutes)
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(offset).toPlainDateTime()
  return `${wall.toString({ fractionalSecondDigits: 0, roundingMode: "floor" })}${offset}`
}

interface Times {
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly utcOffsetMinutes: number
  readonly startUtcOffsetMinutes?: number
  readonly endUtcOffsetMinutes?: number
}

/** In UTC, and each on the clock of its own moment where the vendor gives both. */
const times = ({ startedAt, endedAt, utcOffsetMinutes: offset, ...own }: Times) => ({
  start: utc(startedAt),
  end: endedAt && utc(endedAt),
  start_local: localClock(startedAt, own.startUtcOffsetMinutes ?? offset),
  end_local: endedAt && localClock(endedAt, own.endUtcOffsetMinutes ?? offset),
})

/** Light, deep and REM sleep, or the figure of a device without stages. */
export const asleepMs = ({ data: { stages }, asleepMs: whole }: MeasuredSleep["record"]): number | undefined =>
  stages === undefined ? whole : stages.lightMs + stages.deepMs + stages.remMs

export function sleepRecord({ record, provider, date }: MeasuredSleep) {
  const { data } = record
  return {
    id: `${provider}-${record.providerId}`,
    date,
    ...times(record),
    duration_hours: hours(data.durationMs),
    asleep_hours: hours(asleepMs(record)),
    need_hours: hours(record.needMs),
    is_nap: data.isNap,
    score_state: record.scoreState,
    score: {
      performance: tidy(data.score, 1),
      efficiency: tidy(data.metrics?.efficiency, 1),
      consistency: tidy(record.consistencyPercent, 1),
    },
    stages: {
      light_hours: hours(data.stages?.lightMs),
      deep_hours: hours(data.stages?.deepMs),
      rem_hours: hours(data.stages?.remMs),
      awake_hours: hours(data.stages?.awakeMs),
    },
    respiratory_rate: tidy(data.metrics?.respiratoryRate, 1),
  }
}

export function recoveryRecord({ record, provider, date, deviation }: MeasuredRecovery): object {
  const { score, metrics } = record.data
  return {
    cycle_id: record.cycleProviderId === undefined ? null : `${provider}-${record.cycleProviderId}`,
    date,
    score_state: record.scoreState,
    score: tidy(score, 1),
    hrv: tidy(metrics?.hrv, 1),
    hrv_method: metrics?.hrv === undefined ? null : hrvMethodOf(provider),
    resting_heart_rate: tidy(metrics?.restingHeartRate, 0),
    spo2: tidy(metrics?.spo2, 1),
    skin_temp_celsius: tidy(record.skinTempCelsius, 1),
    skin_temp_deviation_celsius: tidied(deviation, 1),
  }
}

export function workoutRecord({ record, provider, date }: MeasuredWorkout): object {
  const { data, zones } = record
  return {
    id: `${provider}-${record.providerId}`,
    date,
    ...times(record),
    duration_hours: hours(data.durationMs),
    sport_type: data.sportType,
    score_state: record.scoreState,
    strain: tidy(data.strain, 1),
    average_heart_rate: tidy(data.metrics?.averageHeartRate, 0),
    max_heart_rate: tidy(data.metrics?.maxHeartRate, 0),
    calories: tidy(data.metrics?.calories, 0),
    distance_meters: tidy(data.metrics?.distance, 1),
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
  }
}

export function cycleRecord({ record, provider, date }: MeasuredCycle): object {
  const { data } = record
  return {
    id: `${provider}-${record.providerId}`,
    date,
    ...times(record),
    score_state: record.scoreState,
    strain: tidy(data.strain, 1),
    calories: tidy(data.metrics?.calories, 0),
    average_heart_rate: tidy(data.metrics?.averageHeartRate, 0),
    max_heart_rate: tidy(data.metrics?.maxHeartRate, 0),
    steps: tidy(record.steps, 0),
    active_calories: tidy(record.activeCalories, 0),
    distance_meters: tidy(record.distanceMeters, 1),
  }
}

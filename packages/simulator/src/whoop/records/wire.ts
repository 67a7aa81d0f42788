/** Variations of WHOOP's responses that have no meaning: null or absent, `Z` or `+00:00`. */
import { offsetMinutes } from "../../model/calendar.ts"
import { type Random, randomFor } from "../../model/random.ts"

/**
 * The records of WHOOP's API, version 2: snake_case, instants as ISO 8601 in UTC with milliseconds. In real responses an
 * optional property is sometimes `null` and sometimes absent.
 * @see https://developer.whoop.com/api
 */

type ScoreState = "SCORED" | "PENDING_SCORE" | "UNSCORABLE"

/** Properties of every record. */
interface WireRecord {
  user_id: number
  created_at: string
  updated_at: string
  score_state: ScoreState
}

export interface WireCycle extends WireRecord {
  id: number
  start: string
  end?: string | null
  timezone_offset: string
  score?: { strain: number; kilojoule: number; average_heart_rate: number; max_heart_rate: number } | null
}

export interface WireSleep extends WireRecord {
  id: string
  cycle_id: number
  v1_id?: number | null
  start: string
  end: string
  timezone_offset: string
  nap: boolean
  score?: WireSleepScore | null
}

export interface WireSleepScore {
  stage_summary: {
    total_in_bed_time_milli: number
    total_awake_time_milli: number
    total_no_data_time_milli: number
    total_light_sleep_time_milli: number
    total_slow_wave_sleep_time_milli: number
    total_rem_sleep_time_milli: number
    sleep_cycle_count: number
    disturbance_count: number
  }
  sleep_needed: {
    baseline_milli: number
    need_from_sleep_debt_milli: number
    need_from_recent_strain_milli: number
    need_from_recent_nap_milli: number
  }
  respiratory_rate?: number
  sleep_performance_percentage?: number
  sleep_consistency_percentage?: number
  sleep_efficiency_percentage?: number
}

export interface WireRecovery extends WireRecord {
  cycle_id: number
  sleep_id: string
  score?: {
    user_calibrating: boolean
    recovery_score: number
    resting_heart_rate: number
    hrv_rmssd_milli: number
    spo2_percentage?: number
    skin_temp_celsius?: number
  } | null
}

export interface WireWorkout extends WireRecord {
  id: string
  v1_id?: number | null
  start: string
  end: string
  timezone_offset: string
  sport_name: string
  sport_id?: number
  score?: {
    strain: number
    average_heart_rate: number
    max_heart_rate: number
    kilojoule: number
    percent_recorded: number
    distance_meter: number | null
    altitude_gain_meter: number | null
    altitude_change_meter: number | null
    zone_durations: {
      zone_zero_milli: number
      zone_one_milli: number
      zone_two_milli: number
      zone_three_milli: number
      zone_four_milli: number
      zone_five_milli: number
    }
  } | null
}

export interface WireProfile {
  user_id: number
  email: string
  first_name: string
  last_name: string
}

export interface WireBody {
  height_meter: number
  weight_kilogram: number
  max_heart_rate: number
}

/** Every record of one person that is visible at one moment, newest first. */
export interface WireRecords {
  cycles: WireCycle[]
  sleeps: WireSleep[]
  recoveries: WireRecovery[]
  workouts: WireWorkout[]
  profile: WireProfile
  body: WireBody
}

/** The variation of one record, the same in all its versions. */
interface Dialect {
  /** Returns `{ name: null }` or `{}`. */
  absent<Name extends string>(name: Name): { [key in Name]?: null }
  offset(zone: string, instantMs: number): string
}

export function dialectFor(...keys: readonly (string | number)[]): Dialect {
  const random = randomFor(...keys, "dialect")
  return {
    absent: absentAs(random),
    offset: (zone, instantMs) => writeOffset(offsetMinutes(zone, instantMs), random.chance(0.5)),
  }
}

function absentAs(random: Random): Dialect["absent"] {
  const asNull = random.chance(0.5)
  return <Name extends string>(name: Name) => {
    const written: { [key in Name]?: null } = {}
    if (asNull) written[name] = null
    return written
  }
}

/** Returns WHOOP's time zone designator: `Z`, `+hh:mm` or `-hh:mm`. */
function writeOffset(minutes: number, zuluForZero = true): string {
  if (minutes === 0 && zuluForZero) return "Z"
  const sign = minutes < 0 ? "-" : "+"
  const two = (value: number) => String(value).padStart(2, "0")
  return `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

/** Records from before September 2025 have the whole number that was their id in version 1 of the API. */
const LAST_LEGACY_MS = Date.UTC(2025, 8, 1)

/** Returns the version 1 id of a sleep or workout: a number for old records, null or absent for others. */
export function legacyId(dialect: Dialect, uuid: string, createdMs: number): { v1_id?: number | null } {
  return createdMs < LAST_LEGACY_MS ? { v1_id: Number.parseInt(uuid.slice(0, 8), 16) } : dialect.absent("v1_id")
}

/** ISO 8601 in UTC with milliseconds. */
export function writeInstant(instantMs: number): string {
  return new Date(instantMs).toISOString()
}

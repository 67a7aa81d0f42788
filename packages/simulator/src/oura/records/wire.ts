/**
 * The documents of Oura's API, version 2, as far as this simulator has them, and how Oura writes times, days and versions. Times are ISO 8601
 * with the local offset, durations are seconds.
 * @see https://cloud.ouraring.com/v2/docs
 */

import { DAY_MS, MINUTE_MS, offsetMinutes } from "../../model/calendar.ts"
import type { SleepType } from "./ring.ts"

interface Meta {
  updated_at: string
  version: number
}

/** Properties of every document that belongs to a day. */
export interface WireDocument {
  id: string
  meta: Meta
  /** Local calendar date, YYYY-MM-DD. */
  day: string
}

export interface WireSeries {
  /** Seconds. */
  interval: number
  items: (number | null)[]
  timestamp: string
}

export interface WireOuraSleep extends WireDocument {
  average_breath: number | null
  average_heart_rate: number | null
  average_hrv: number | null
  awake_time: number | null
  bedtime_start: string
  bedtime_end: string
  deep_sleep_duration: number | null
  rem_sleep_duration: number | null
  light_sleep_duration: number | null
  total_sleep_duration: number | null
  time_in_bed: number
  latency: number | null
  efficiency: number | null
  restless_periods: number | null
  lowest_heart_rate: number | null
  heart_rate: WireSeries | null
  hrv: WireSeries | null
  movement_30_sec: string | null
  sleep_phase_5_min: string | null
  low_battery_alert: boolean
  period: number
  readiness: null
  readiness_score_delta: null
  sleep_score_delta: null
  sleep_algorithm_version: "v1" | "v2"
  sleep_analysis_reason: "foreground_sleep_analysis" | "bedtime_edit"
  type: SleepType
  ring_id: string
}

export interface WireDailySleep extends WireDocument {
  score: number | null
  timestamp: string
  contributors: Record<string, number | null>
}

export interface WireDailyReadiness extends WireDocument {
  score: number | null
  temperature_deviation: number | null
  temperature_trend_deviation: number | null
  timestamp: string
  contributors: Record<string, number | null>
}

export interface WireDailySpo2 extends WireDocument {
  breathing_disturbance_index: number | null
  spo2_percentage: { average: number } | null
}

export interface WireDailyActivity extends WireDocument {
  score: number | null
  active_calories: number
  total_calories: number
  target_calories: number
  steps: number
  equivalent_walking_distance: number
  target_meters: number
  meters_to_target: number
  average_met_minutes: number
  high_activity_time: number
  medium_activity_time: number
  low_activity_time: number
  sedentary_time: number
  resting_time: number
  non_wear_time: number
  inactivity_alerts: number
  class_5_min: string
  met: WireSeries
  contributors: Record<string, number | null>
  timestamp: string
}

export interface WireOuraWorkout extends WireDocument {
  activity: string
  calories: number | null
  distance: number | null
  start_datetime: string
  end_datetime: string
  intensity: "easy" | "moderate" | "hard"
  label: string | null
  source: "manual" | "autodetected" | "confirmed" | "workout_heart_rate"
}

/** A tag has no `day` and no `meta`. */
export interface WireTag {
  id: string
  tag_type_code: string | null
  start_time: string
  end_time: string | null
  start_day: string
  end_day: string | null
  comment: string | null
  custom_name: string | null
}

export interface WirePersonalInfo {
  id: string
  age: number
  weight: number
  height: number
  biological_sex: string
  /** Null without the scope `email`. */
  email: string | null
}

export type HeartRateSource = "awake" | "workout" | "rest" | "sleep" | "live" | "session"

/** A row of `heartrate`. It has no id. */
export interface WireHeartRate {
  /** UTC. */
  timestamp: string
  timestamp_unix: number
  bpm: number
  source: HeartRateSource
}

/** The documents of each collection, by the collection's name. */
export interface OuraDocuments {
  sleep: WireOuraSleep
  daily_sleep: WireDailySleep
  daily_readiness: WireDailyReadiness
  daily_spo2: WireDailySpo2
  daily_activity: WireDailyActivity
  workout: WireOuraWorkout
  enhanced_tag: WireTag
}

export const COLLECTIONS = [
  "sleep",
  "daily_sleep",
  "daily_readiness",
  "daily_spo2",
  "daily_activity",
  "workout",
  "enhanced_tag",
] as const satisfies readonly (keyof OuraDocuments)[]
export type CollectionName = (typeof COLLECTIONS)[number]

/** Every document of one person that is visible at one moment, oldest first. */
export type OuraRecords = { [Name in CollectionName]: OuraDocuments[Name][] } & { personal_info: WirePersonalInfo }

/** ISO 8601 with the local offset. Oura writes it with milliseconds, and sometimes without. */
export function writeLocal(zone: string, instantMs: number, hasMilliseconds = true): string {
  const minutes = offsetMinutes(zone, instantMs)
  const wall = new Date(instantMs + minutes * MINUTE_MS).toISOString().slice(0, hasMilliseconds ? 23 : 19)
  const two = (value: number) => String(value).padStart(2, "0")
  const sign = minutes < 0 ? "-" : "+"
  return `${wall}${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

/** YYYY-MM-DD of a day number. */
export const writeDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export const writeMeta = (updatedMs: number, version = 1): Meta => ({
  updated_at: new Date(updatedMs).toISOString(),
  version,
})

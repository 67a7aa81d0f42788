// Health Connect's export as it is written: tables, columns, numbers and units. The only file that converts its units.

import { type SeriesType, SLEEP_STAGES, type SleepStage } from "@restwell/client"
import type { RowType } from "../apple-health/rows.ts"

/** The apps that wrote rows. @see https://android.googlesource.com/platform/packages/modules/HealthFitness AppInfoHelper */
export const APPS = "application_info_table"
export const SLEEP_SESSIONS = "sleep_session_record_table"
export const SLEEP_STAGES_OF_SESSIONS = "sleep_stages_table"
export const EXERCISES = "exercise_session_record_table"
export const HEART_RATES = "heart_rate_record_table"
export const HEART_RATE_SERIES = "heart_rate_record_series_table"
export const SKIN_TEMPERATURES = "skin_temperature_record_table"
export const SKIN_TEMPERATURE_DELTAS = "skin_temperature_delta_table"
export const HEIGHTS = "height_record_table"
const STEPS = "steps_record_table"

/** Tables by which a database is known as an export. */
export const KNOWN_BY = [APPS, SLEEP_SESSIONS, STEPS, HEART_RATES]

/** A table with a value at a moment. */
interface ValueColumn {
  readonly table: string
  readonly column: string
  readonly divisor?: number
  readonly method?: "rmssd"
}

/** The series that has the values, or what recoveries and sleeps are made of them, or both. */
export type ValueTable = ValueColumn &
  (
    | { readonly series: Exclude<SeriesType, "sleep_stages">; readonly row?: Exclude<RowType, "sleep"> }
    | { readonly series?: undefined; readonly row: Exclude<RowType, "sleep"> }
  )

/** @see https://android.googlesource.com/platform/packages/modules/HealthFitness the folder storage/datatypehelpers */
export const VALUE_TABLES: readonly ValueTable[] = [
  { table: "resting_heart_rate_record_table", column: "beats_per_minute", row: "resting_heart_rate" },
  {
    table: "heart_rate_variability_rmssd_record_table",
    column: "heart_rate_variability_millis",
    series: "hrv",
    method: "rmssd",
    row: "hrv_rmssd",
  },
  { table: "oxygen_saturation_record_table", column: "percentage", series: "spo2", row: "spo2" },
  { table: "respiratory_rate_record_table", column: "rate", series: "respiratory_rate", row: "respiratory_rate" },
  // Masses are in grams.
  { table: "weight_record_table", column: "weight", series: "weight", divisor: 1_000 },
  { table: "body_fat_record_table", column: "percentage", series: "body_fat" },
  { table: "blood_pressure_record_table", column: "systolic", series: "blood_pressure_systolic" },
  { table: "blood_pressure_record_table", column: "diastolic", series: "blood_pressure_diastolic" },
  { table: "vo2_max_record_table", column: "vo2_milliliters_per_minute_kilogram", series: "vo2max" },
]

export type CountType = "steps" | "active_energy" | "distance" | "floors" | "energy"

/** A table of what is counted over a time. */
export interface CountTable {
  readonly table: string
  readonly column: string
  readonly type: CountType
  readonly divisor: number
}

/** Energies are in small calories, a thousandth of a kilocalorie. @see https://developer.android.com/reference/android/health/connect/datatypes/units/Energy */
export const COUNT_TABLES: readonly CountTable[] = [
  { table: STEPS, column: "count", type: "steps", divisor: 1 },
  { table: "active_calories_burned_record_table", column: "energy", type: "active_energy", divisor: 1_000 },
  { table: "distance_record_table", column: "distance", type: "distance", divisor: 1 },
  { table: "floors_climbed_record_table", column: "floors", type: "floors", divisor: 1 },
  { table: "total_calories_burned_record_table", column: "energy", type: "energy", divisor: 1_000 },
]

/** All tables that are read. */
export const READ_TABLES: readonly string[] = [
  SLEEP_SESSIONS,
  EXERCISES,
  HEART_RATES,
  SKIN_TEMPERATURES,
  HEIGHTS,
  ...VALUE_TABLES.map(({ table }) => table),
  ...COUNT_TABLES.map(({ table }) => table),
]

/** Tables of times whose offsets are learned before anything is dated. */
export const ZONE_TABLES = [SLEEP_SESSIONS, EXERCISES, HEART_RATES, STEPS]

/** Each reading of a table: what is counted is read to choose the apps of the days, and again for their sums. */
export const READINGS: readonly string[] = [
  ...ZONE_TABLES,
  SLEEP_SESSIONS,
  SLEEP_STAGES_OF_SESSIONS,
  EXERCISES,
  HEART_RATE_SERIES,
  SKIN_TEMPERATURES,
  SKIN_TEMPERATURE_DELTAS,
  HEIGHTS,
  ...[...VALUE_TABLES, ...VALUE_TABLES, ...COUNT_TABLES, ...COUNT_TABLES].map(({ table }) => table),
]

/** @see https://developer.android.com/reference/android/health/connect/datatypes/SleepSessionRecord.StageType */
const STAGES: ReadonlyMap<number, SleepStage> = new Map([
  [1, "awake"],
  [2, "asleep"],
  [3, "awake"],
  [4, "light"],
  [5, "deep"],
  [6, "rem"],
  [7, "awake"],
])

/** A stage as an index in SLEEP_STAGES. Undefined for an unknown one: the time is in bed then. */
export function stageIndex(type: number | undefined): number | undefined {
  const stage = type === undefined ? undefined : STAGES.get(type)
  return stage && SLEEP_STAGES.indexOf(stage)
}

/**
 * Names of sports by the platform's numbers, which are others than those of the library for apps.
 * @see https://developer.android.com/reference/android/health/connect/datatypes/ExerciseSessionType
 */
const SPORTS: readonly string[] =
  `unknown badminton baseball basketball biking stationary-bike boot-camp boxing calisthenics cricket
  dancing exercise-class fencing american-football australian-football frisbee golf guided-breathing gymnastics handball hiit hiking
  ice-hockey ice-skating martial-arts paddling paragliding pilates racquetball rock-climbing roller-hockey rowing rugby running treadmill
  sailing scuba-diving skating skiing snowboarding snowshoeing soccer softball squash stair-climbing strength-training stretching surfing
  swimming-open-water swimming-pool table-tennis tennis volleyball walking water-polo weightlifting wheelchair yoga other stair-climber
  elliptical rowing-machine`
    .trim()
    .split(/\s+/)

export const sportOf = (type: number | undefined): string => SPORTS[type ?? 0] ?? "other"

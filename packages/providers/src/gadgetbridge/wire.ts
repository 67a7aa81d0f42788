// Gadgetbridge's database as it is written: tables, columns, units and numbers. The only file that converts its units.
import { type SeriesType, SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { RowType } from "../apple-health/rows.ts"

/** @see https://codeberg.org/Freeyourgadget/Gadgetbridge GBDaoGenerator, which declares all tables */
export const DEVICES = "DEVICE"
export const WORKOUTS = "BASE_ACTIVITY_SUMMARY"
export const XIAOMI_MINUTES = "XIAOMI_ACTIVITY_SAMPLE"
export const XIAOMI_SLEEPS = "XIAOMI_SLEEP_TIME_SAMPLE"
export const XIAOMI_STAGES = "XIAOMI_SLEEP_STAGE_SAMPLE"
export const HUAMI_MINUTES = "HUAMI_EXTENDED_ACTIVITY_SAMPLE"
export const XIAOMI_DAYS = "XIAOMI_DAILY_SUMMARY_SAMPLE"

/** A table with a value at a moment, which may be a series, a figure of a night, or both. */
interface ValueTable {
  readonly table: string
  readonly column: string
  readonly series?: Exclude<SeriesType, "sleep_stages">
  readonly row?: Exclude<RowType, "sleep">
  readonly method?: "rmssd"
}

export const VALUE_TABLES: readonly ValueTable[] = [
  { table: XIAOMI_DAYS, column: "HR_RESTING", row: "resting_heart_rate" },
  { table: "HUAMI_HEART_RATE_RESTING_SAMPLE", column: "HEART_RATE", row: "resting_heart_rate" },
  { table: "HUAMI_HEART_RATE_MANUAL_SAMPLE", column: "HEART_RATE", series: "heart_rate" },
  { table: "HUAMI_SPO2_SAMPLE", column: "SPO2", series: "spo2", row: "spo2" },
  { table: "HUAMI_STRESS_SAMPLE", column: "STRESS", series: "stress" },
  { table: "HUAMI_SLEEP_RESPIRATORY_RATE_SAMPLE", column: "RATE", series: "respiratory_rate", row: "respiratory_rate" },
  { table: "GENERIC_HRV_VALUE_SAMPLE", column: "VALUE", series: "hrv", row: "hrv_rmssd", method: "rmssd" },
]

/** Tables whose rows say how far clocks are from UTC, and how many minutes a unit is. */
export const OFFSET_TABLES = [
  { table: "HUAMI_HEART_RATE_RESTING_SAMPLE", column: "UTC_OFFSET", minutes: 1 / MINUTE_MS },
  { table: "HUAMI_HEART_RATE_MANUAL_SAMPLE", column: "UTC_OFFSET", minutes: 1 / MINUTE_MS },
  { table: "HUAMI_SLEEP_RESPIRATORY_RATE_SAMPLE", column: "UTC_OFFSET", minutes: 1 / MINUTE_MS },
  { table: XIAOMI_DAYS, column: "TIMEZONE", minutes: 15 },
] as const

export const READ_TABLES: readonly string[] = [
  XIAOMI_MINUTES,
  XIAOMI_SLEEPS,
  XIAOMI_STAGES,
  HUAMI_MINUTES,
  ...VALUE_TABLES.map(({ table }) => table),
]

/** Each reading of a table. A band's days are read for what is named as unread too. */
export const READINGS: readonly string[] = [
  XIAOMI_STAGES,
  XIAOMI_SLEEPS,
  XIAOMI_MINUTES,
  HUAMI_MINUTES,
  WORKOUTS,
  XIAOMI_DAYS,
  ...[...OFFSET_TABLES, ...VALUE_TABLES].map(({ table }) => table),
]

/** Times of old tables are in seconds, those of newer ones in milliseconds. Seconds reach this number in the year 5138. */
const FIRST_MILLISECONDS = 1e11
export const msOf = (timestamp: number): number => (timestamp > FIRST_MILLISECONDS ? timestamp : timestamp * 1_000)

/** A heart rate of a minute. 0, 255 and negative ones stand for none. */
export const beatsOf = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 && value < 255 ? value : undefined

/** Other figures of a minute: 0 and negative ones stand for none. */
export const aboveZero = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined

const indexOf = (stage: SleepStage): number => SLEEP_STAGES.indexOf(stage)

/** A stage as an index in SLEEP_STAGES. Undefined for an unknown one. @see XiaomiSleepStageSample */
const XIAOMI_STAGE: ReadonlyMap<number, number> = new Map([
  [2, indexOf("deep")],
  [3, indexOf("light")],
  [4, indexOf("rem")],
  [5, indexOf("awake")],
])
export const xiaomiStage = (stage: number | undefined): number | undefined => XIAOMI_STAGE.get(stage ?? -1)

/** The kind of a minute asleep. */
export const HUAMI_SLEEP = 120
/** The highest bit of a stage's strength means something else. @see HuamiExtendedSampleProvider */
const STRENGTH = 127
const [LEAST_REM, LEAST_DEEP] = [55, 42]

/** The stage of a minute asleep as an index in SLEEP_STAGES. */
export function huamiStage(deep: number | undefined, rem: number | undefined): number {
  if (((rem ?? 0) & STRENGTH) > LEAST_REM) return indexOf("rem")
  return indexOf(((deep ?? 0) & STRENGTH) > LEAST_DEEP ? "deep" : "light")
}

/** @see ActivityKind of Gadgetbridge */
const SPORTS: ReadonlyMap<number, string> = new Map([
  [0x10, "running"],
  [0x20, "walking"],
  [0x40, "swimming"],
  [0x80, "cycling"],
  [0x100, "treadmill"],
  [0x200, "exercise"],
  [0x400, "open water swimming"],
  [0x800, "indoor cycling"],
  [0x1000, "elliptical"],
  [0x2000, "jump rope"],
  [0x4000, "yoga"],
  [0x8000, "soccer"],
  [0x10000, "rowing machine"],
  [0x20000, "cricket"],
  [0x40000, "basketball"],
  [0x80000, "table tennis"],
  [0x100000, "badminton"],
  [0x200000, "strength training"],
  [0x400000, "hiking"],
  [0x800000, "climbing"],
])
export const sportOf = (kind: number | undefined): string => SPORTS.get(kind ?? 0) ?? "other"

/** A figure of a workout stands alone, or with its unit. */
const FigureSchema = z.union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)])
const SummarySchema = z.record(z.string(), z.unknown())

/** The figures of a workout in JSON. Returns none of a text that is no JSON. */
export function summaryFigures(text: string): (name: string) => number | undefined {
  const parsed = SummarySchema.safeParse(jsonOf(text))
  return (name) => (parsed.success ? aboveZero(FigureSchema.safeParse(parsed.data[name]).data) : undefined)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

// The values of WHOOP's data export. Times are local, and the cycle's time zone is beside them.
import { z } from "zod"
import { writtenMs } from "../normalize/clock-time.ts"

const MISSING = { error: "missing" }

/** A local time as milliseconds, as if it were UTC. */
export const localTime = z.string(MISSING).transform((text, context) => {
  const milliseconds = TIME_OF_DAY.test(text) ? writtenMs(text.trim()) : Number.NaN
  if (!Number.isNaN(milliseconds)) return Math.floor(milliseconds / 1_000) * 1_000
  context.addIssue({ code: "custom", message: "no time written YYYY-MM-DD HH:MM:SS" })
  return z.NEVER
})

/** A date alone is no time. */
const TIME_OF_DAY = /[T ]\d/

/** The offset of the cycle, minutes east of UTC: `UTC-04:00`, `GMT-5`, `UTCZ`. */
const timeZone = z.string(MISSING).transform((text, context) => {
  const [matched, sign, hours = "0", minutes = "0"] =
    /^(?:utc|gmt)?\s*(?:z|([+-])(\d{1,2})(?::?(\d{2}))?)?$/i.exec(text.trim()) ?? []
  const distance = Number(hours) * 60 + Number(minutes)
  const offset = sign === "-" ? 0 - distance : distance
  if (matched && offset >= -12 * 60 && offset <= 14 * 60) return offset
  context.addIssue({ code: "custom", message: "no offset from UTC like UTC+01:00" })
  return z.NEVER
})

const number = z
  .string()
  .regex(/^\s*-?\d+(?:\.\d+)?\s*$/, { error: "no number" })
  .transform(Number)

/** Undefined for a blank cell and for a column that the file lacks. */
const orBlank = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.preprocess((text) => (typeof text === "string" && text.trim() !== "" ? text : undefined), schema.optional())

const cycle = { cycle_end: orBlank(localTime), time_zone: timeZone, is_open: z.boolean() }
const inCycle = { ...cycle, cycle_start: orBlank(localTime) }
const effort = {
  /** 0-21, logarithmic. */
  strain: orBlank(number),
  /** Kilocalories, though WHOOP writes cal. */
  calories: orBlank(number),
  /** Beats per minute. */
  max_heart_rate: orBlank(number),
  average_heart_rate: orBlank(number),
}
/** Percent, breaths per minute, and minutes. */
const sleep = {
  performance: orBlank(number),
  respiratory_rate: orBlank(number),
  asleep_minutes: orBlank(number),
  in_bed_minutes: orBlank(number),
  light_minutes: orBlank(number),
  deep_minutes: orBlank(number),
  rem_minutes: orBlank(number),
  awake_minutes: orBlank(number),
  need_minutes: orBlank(number),
  efficiency: orBlank(number),
  consistency: orBlank(number),
}

export const CycleRowSchema = z.object({
  ...cycle,
  cycle_start: localTime,
  /** Percent. */
  recovery: orBlank(number),
  /** Beats per minute. */
  resting_heart_rate: orBlank(number),
  /** RMSSD, milliseconds. */
  hrv: orBlank(number),
  /** Degrees Celsius. */
  skin_temp: orBlank(number),
  /** Percent. */
  spo2: orBlank(number),
  ...effort,
  sleep_onset: orBlank(localTime),
  wake_onset: orBlank(localTime),
  ...sleep,
})

export const SleepRowSchema = z.object({
  ...inCycle,
  sleep_onset: localTime,
  wake_onset: localTime,
  ...sleep,
  nap: z.boolean(),
})

export const WorkoutRowSchema = z.object({
  ...inCycle,
  workout_start: localTime,
  workout_end: localTime,
  activity: orBlank(z.string()),
  ...effort,
  /** Percent of the workout. */
  zone_1: orBlank(number),
  zone_2: orBlank(number),
  zone_3: orBlank(number),
  zone_4: orBlank(number),
  zone_5: orBlank(number),
  /** Metres. */
  distance: orBlank(number),
})

export const JournalRowSchema = z.object({
  ...cycle,
  cycle_start: localTime,
  question: z.string(MISSING).trim().min(1, { error: "no question" }).max(500, { error: "longer than 500 characters" }),
  answer: z.boolean().optional(),
})

export type CycleRow = z.infer<typeof CycleRowSchema>
export type SleepRow = z.infer<typeof SleepRowSchema>
export type WorkoutRow = z.infer<typeof WorkoutRowSchema>
export type JournalRow = z.infer<typeof JournalRowSchema>

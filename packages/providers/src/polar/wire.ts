// The shapes of Polar's AccessLink v3, with names in snake_case, and only the fields that are read. Zero and minus one stand for no value
// where a figure cannot be so. https://www.polar.com/accesslink-api/
import { isDate } from "@restwell/client/calendar-dates"
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { partOfScore } from "../normalize/contributors.ts"
import { textOrNumberId } from "../normalize/opaque-texts.ts"
import { plausibleInstantOf } from "../normalize/plausible.ts"

/** A number that is missing as null, as zero or as minus one. */
const measured = z
  .number()
  .nullish()
  .transform((value) => (value === 0 || value === -1 ? undefined : value))
/** A number of which zero is a value: a day without steps, a night without deep sleep. */
const counted = z
  .number()
  .nullish()
  .transform((value) => (value === -1 ? undefined : value))
/** Of a part of a night, seconds. */
const seconds = z.number().nonnegative().max(86_400).nullish()
const text = z.string().max(200).nullish()

const localDate = z.string().refine(isDate, { error: "not a date" })

/** An instant with the local offset where it happened. */
export interface LocalTime {
  readonly at: Date
  readonly utcOffsetMinutes: number
}

/** `2026-11-19T23:41:00+02:00`, with or without fractions. */
const localTime = z.string().transform((written, context): LocalTime => {
  const [, sign = "", hours = "", minutes = ""] = /(?:([+-])(\d{2}):?(\d{2})|Z)$/i.exec(written.trim()) ?? []
  const distance = Number(hours) * 60 + Number(minutes)
  const at = plausibleInstantOf(written)
  if (at) return { at, utcOffsetMinutes: sign === "-" ? 0 - distance : distance }
  context.addIssue({ code: "custom", message: "not a time of this century with an offset" })
  return z.NEVER
})

/** Values by the local clock, `HH:MM`, in the order of the night. */
const byClock = z.record(z.string().regex(/^\d\d:\d\d$/, { error: "not a time of a clock" }), z.number()).nullish()

/** The offsets of a night, by which a day finds its own. */
export const PolarNightTimesSchema = z.object({
  date: localDate,
  sleep_start_time: localTime,
  sleep_end_time: localTime,
})

const PolarNightSchema = PolarNightTimesSchema.extend({
  light_sleep: seconds,
  deep_sleep: seconds,
  rem_sleep: seconds,
  /** Neither sleep nor waking. */
  unrecognized_sleep_stage: seconds,
  total_interruption_duration: seconds,
  /** 1-100. */
  sleep_score: measured,
  /** The themes of the sleep score, points from 1 to 100. */
  group_duration_score: partOfScore,
  group_solidity_score: partOfScore,
  group_regeneration_score: partOfScore,
  hypnogram: byClock,
  /** Means of five minutes, beats per minute. */
  heart_rate_samples: byClock,
})

/** A night, with what is known of its date beside it. */
export const PolarSleepRecordSchema = z.object({
  sleep: PolarNightSchema,
  /** Breaths per minute, of the same four hours as RMSSD. */
  nightly_recharge: z.object({ breathing_rate_avg: measured }).optional(),
})

const PolarRechargeSchema = z.object({
  date: localDate,
  /** RMSSD of four hours, milliseconds. */
  heart_rate_variability_avg: measured,
})

const PolarTemperatureSchema = z.object({
  sleep_date: localDate,
  sleep_time_skin_temperature_celsius: measured,
  /** Zero is the baseline itself. */
  deviation_from_baseline_celsius: z.number().nullish(),
})

/** What is known of a night beside its sleep: one of the two, or both. */
export const PolarRecoveryRecordSchema = z.object({
  nightly_recharge: PolarRechargeSchema.optional(),
  skin_temperature: PolarTemperatureSchema.optional(),
})

/** A day. Its date is that of its start, which has no offset. */
const PolarActivitySchema = z.object({
  start_time: z
    .string()
    .transform((written) => written.slice(0, 10))
    .refine(isDate, { error: "does not begin with a date" }),
  /** Kilocalories, all and beyond rest. */
  calories: measured,
  active_calories: counted,
  steps: counted,
  /** Metres. */
  distance_from_steps: counted,
})

const offset = z.int().min(-720).max(840)

export const PolarCycleRecordSchema = z.object({
  activity: PolarActivitySchema,
  /** Offsets at the two midnights, which nights tell. Absent where no night is known. */
  sleep: z
    .object({
      start_utc_offset_minutes: offset,
      end_utc_offset_minutes: offset,
      is_of_another_night: z.boolean().optional(),
    })
    .optional(),
})

/** `PT1H2M3.5S`. */
const duration = z.string().transform((written, context) => {
  try {
    const ms = Temporal.Duration.from(written).total("milliseconds")
    if (ms > 0) return ms
  } catch {
    // Another form.
  }
  context.addIssue({ code: "custom", message: "not a duration" })
  return z.NEVER
})

const zoneDuration = z.string().transform((written, context) => {
  try {
    return Temporal.Duration.from(written).total("milliseconds")
  } catch {
    context.addIssue({ code: "custom", message: "not a duration" })
    return z.NEVER
  }
})

const PolarExerciseSchema = z.object({
  id: textOrNumberId,
  /** Local, without an offset. */
  start_time: z.string().refine((written) => plausibleInstantOf(`${written}Z`) !== undefined, {
    error: "not a local time of this century",
  }),
  /** Minutes east of UTC. */
  start_time_utc_offset: offset,
  duration,
  sport: text,
  detailed_sport_info: text,
  calories: measured,
  distance: measured,
  heart_rate: z.object({ average: measured, maximum: measured }).nullish(),
  training_load_pro: z.object({ cardio_load: measured }).nullish(),
  heart_rate_zones: z
    .array(z.object({ index: z.int(), in_zone: zoneDuration }))
    .max(20)
    .nullish(),
})

export const PolarExerciseRecordSchema = z.object({ exercise: PolarExerciseSchema })

/** The person, as typed or computed. An account that has none of it answers with nothing. */
export const PolarPhysicalInfoSchema = z.object({
  /** Kilograms. */
  weight: measured.catch(undefined),
  /** Centimetres. */
  height: measured.catch(undefined),
  maximum_heart_rate: measured.catch(undefined),
})

/** Rows are parsed one by one, so that one wrong row does not cost the others. */
const list = z.array(z.custom<Json>())
export const PolarListSchema = list
export const PolarNightsSchema = z.object({ nights: list })
export const PolarRechargesSchema = z.object({ recharges: list })

export type PolarNight = z.infer<typeof PolarNightSchema>
export type PolarSleepRecord = z.infer<typeof PolarSleepRecordSchema>
export type PolarRecoveryRecord = z.infer<typeof PolarRecoveryRecordSchema>
export type PolarCycleRecord = z.infer<typeof PolarCycleRecordSchema>
export type PolarExerciseRecord = z.infer<typeof PolarExerciseRecordSchema>
export type PolarExercise = z.infer<typeof PolarExerciseSchema>
export type PolarPhysicalInfo = z.infer<typeof PolarPhysicalInfoSchema>

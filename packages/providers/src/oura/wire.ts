// The shapes that Oura's API v2 sends, with wire names, and only the fields that are read. Everything but ids, days and times may be
// null. A normalised record is made of several documents of a day: they are joined under their collections' names.
// https://cloud.ouraring.com/v2/docs
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { partOfScore } from "../normalize/contributors.ts"
import { opaqueId, pageToken } from "../normalize/opaque-texts.ts"
import { plausibleInstantOf } from "../normalize/plausible.ts"
import { instant } from "../normalize/read-records.ts"

/** A number that some people, rings or nights lack. */
const measured = z.number().nullish()
/** Zero stands for no measurement. */
const measuredUnlessZero = measured.transform((value) => (value === 0 ? undefined : value))
/** Of a part of a night. */
const seconds = z.number().nonnegative().max(86_400).nullish()

/** An instant with the local offset where it happened. */
export interface LocalTime {
  readonly at: Date
  readonly utcOffsetMinutes: number
}

/** `2026-11-20T23:41:12.000+01:00`, with or without milliseconds. */
export const localTime = z.string().transform((text, context): LocalTime => {
  const [, sign = "", hours = "", minutes = ""] = /([+-])(\d{2}):?(\d{2})$/.exec(text.trim()) ?? []
  const distance = Number(hours) * 60 + Number(minutes)
  const at = plausibleInstantOf(text)
  if (at) return { at, utcOffsetMinutes: sign === "-" ? 0 - distance : distance }
  context.addIssue({ code: "custom", message: "not a time of this century with an offset" })
  return z.NEVER
})

/** Local calendar date. */
const day = z.iso.date({ error: "not a date" })
/** Not on every document of the API, and in no archive. */
const meta = z.object({ updated_at: instant }).nullish().catch(undefined)

/** What decides where a document belongs, before the whole of it is read. */
export const OuraDayedSchema = z.object({ day })

/** Two documents with one id are one document. */
export const OuraIdSchema = z.object({ id: opaqueId })

/** Sleep types that are no sleep: rejected by the person, and deleted. */
export const NO_SLEEP: readonly unknown[] = ["rest", "deleted"]
/** Sleep types that are no night, whatever their length. */
const NAPS: readonly unknown[] = ["sleep", "late_nap"]
/** Oura calls a sleep that is longer a long one. @see https://cloud.ouraring.com/v2/docs#tag/Sleep-Routes */
const LONGEST_NAP_SECONDS = 3 * 3_600

const LengthSchema = z.object({
  type: z.unknown().optional(),
  total_sleep_duration: z.number().nullish().catch(undefined),
  time_in_bed: z.number().nullish().catch(undefined),
})

/** Whether a sleep is a night, also before it is parsed. Its type may be null or one that is not known: its length then decides. */
export function isNight(sleep: unknown): boolean {
  const { type, total_sleep_duration: asleep, time_in_bed: inBed } = LengthSchema.safeParse(sleep).data ?? {}
  if (type === "long_sleep" || NAPS.includes(type)) return type === "long_sleep"
  return Math.max(asleep ?? 0, inBed ?? 0) > LONGEST_NAP_SECONDS
}

/** Values at equal intervals from a time on. Null where there is none. */
const interval = z
  .object({
    /** Seconds. */
    interval: z.number().positive().max(3_600),
    items: z.array(z.number().nullable()).max(3_000),
    timestamp: localTime,
  })
  .nullish()

/** A sleep period. @see https://cloud.ouraring.com/v2/docs#tag/Sleep-Routes */
const OuraSleepSchema = z.object({
  id: opaqueId,
  meta,
  day,
  bedtime_start: localTime,
  bedtime_end: localTime,
  /** The list of types is open, and a sleep may have none. */
  type: z
    .string()
    .refine((type) => !NO_SLEEP.includes(type), { error: "no sleep" })
    .nullish(),
  time_in_bed: seconds,
  total_sleep_duration: seconds,
  light_sleep_duration: seconds,
  deep_sleep_duration: seconds,
  rem_sleep_duration: seconds,
  awake_time: seconds,
  /** From going to bed to falling asleep. */
  latency: seconds,
  /** Percent, 1-100. */
  efficiency: measured,
  /** Breaths per minute. */
  average_breath: measuredUnlessZero,
  /** RMSSD, milliseconds. */
  average_hrv: measuredUnlessZero,
  /** Beats per minute. */
  average_heart_rate: measuredUnlessZero,
  /** Beats per minute, of samples of 30 seconds. The app shows five-minute means, which differ by 1 to 3. */
  lowest_heart_rate: measuredUnlessZero,
  /** A digit for each five minutes: 1 deep, 2 light, 3 REM, 4 awake. Of another one nothing is known. */
  sleep_phase_5_min: z
    .string()
    .regex(/^[0-9]{1,600}$/, { error: "no row of digits" })
    .nullish(),
  /** A digit for each 30 seconds. Some nights have only these. */
  sleep_phase_30_sec: z
    .string()
    .regex(/^[0-9]{1,3000}$/, { error: "no row of digits" })
    .nullish(),
  /** Beats per minute. */
  heart_rate: interval,
  /** RMSSD, milliseconds. */
  hrv: interval,
})

/** Parts of a score by their names, points from 1 to 100. They are scores and no measurements. */
const contributors = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, partOfScore]))).nullish()

/** The sleep score of a day. */
export const OuraDailySleepSchema = z.object({
  id: opaqueId,
  meta,
  day,
  score: measured,
  contributors: contributors([
    "deep_sleep",
    "efficiency",
    "latency",
    "rem_sleep",
    "restfulness",
    "timing",
    "total_sleep",
  ]),
})

/** The readiness of a day. */
const OuraReadinessSchema = z.object({
  id: opaqueId,
  meta,
  day,
  score: measured,
  /** Degrees Celsius from the person's baseline. */
  temperature_deviation: measured,
  contributors: contributors([
    "activity_balance",
    "body_temperature",
    "hrv_balance",
    "previous_day_activity",
    "previous_night",
    "recovery_index",
    "resting_heart_rate",
    "sleep_balance",
    "sleep_regularity",
  ]),
})

export const OuraSpo2Schema = z.object({
  /** Only events need it. */
  id: opaqueId.optional().catch(undefined),
  meta,
  /** Percent. */
  spo2_percentage: z.object({ average: measuredUnlessZero }).nullish(),
})

/** An activity day, from 04:00 to 04:00 local. */
const OuraActivitySchema = z.object({
  id: opaqueId,
  meta,
  day,
  /** The day's start. */
  timestamp: localTime,
  total_calories: measured,
  active_calories: measured,
  steps: measured,
  /** Metres of walking that would burn the active calories. */
  equivalent_walking_distance: measured,
  contributors: contributors([
    "meet_daily_targets",
    "move_every_hour",
    "recovery_time",
    "stay_active",
    "training_frequency",
    "training_volume",
  ]),
})

/** What other records need of an activity day. */
const activityOfDay = z.object({ id: opaqueId, timestamp: localTime }).nullish().catch(undefined)

const OuraWorkoutDocumentSchema = z.object({
  id: opaqueId,
  meta,
  day,
  /** `running`, `strength_training`, also `strengthTraining`. */
  activity: z.string().max(100).nullish(),
  start_datetime: localTime,
  end_datetime: localTime,
  /** Kilocalories. */
  calories: measured,
  /** Metres. */
  distance: measured,
})

const endsAfterItsStart = (start: LocalTime, end: LocalTime) => end.at >= start.at

/** A sleep, with the score of its day if it is the main sleep, and the activity day of its end. */
export const OuraSleepRecordSchema = z
  .object({
    sleep: OuraSleepSchema,
    daily_sleep: OuraDailySleepSchema.nullish(),
    daily_activity: activityOfDay,
  })
  .refine(({ sleep }) => endsAfterItsStart(sleep.bedtime_start, sleep.bedtime_end), {
    path: ["sleep", "bedtime_end"],
    error: "before bedtime_start",
  })

/** The readiness of a day with its main sleep. Either may be missing. */
export const OuraRecoveryRecordSchema = z
  .object({
    daily_readiness: OuraReadinessSchema.nullish(),
    sleep: OuraSleepSchema.nullish(),
    daily_spo2: OuraSpo2Schema.nullish(),
    daily_activity: activityOfDay,
  })
  .refine(({ daily_readiness, sleep }) => daily_readiness || sleep, {
    path: ["daily_readiness"],
    error: "neither a readiness nor a sleep",
  })

export const OuraWorkoutRecordSchema = z
  .object({ workout: OuraWorkoutDocumentSchema })
  .refine(({ workout }) => endsAfterItsStart(workout.start_datetime, workout.end_datetime), {
    path: ["workout", "end_datetime"],
    error: "before start_datetime",
  })

/** An activity day, with the start of the next one if Oura has it. */
export const OuraCycleRecordSchema = z.object({
  daily_activity: OuraActivitySchema,
  next_activity: activityOfDay,
})

/** A row of `heartrate`, which has no id. @see https://cloud.ouraring.com/v2/docs#tag/Heart-Rate-Routes */
export const OuraHeartRateSchema = z.object({
  timestamp: instant,
  /** Beats per minute. */
  bpm: measuredUnlessZero,
})

/** A tag, without its comment. https://cloud.ouraring.com/v2/docs#tag/Enhanced-Tag-Routes */
export const OuraTagSchema = z.object({
  id: opaqueId,
  start_time: localTime,
  /** `tag_generic_alcohol`, or `custom`. */
  tag_type_code: z.string().nullish(),
  /** The name that the person gave to a custom tag. */
  custom_name: z.string().nullish(),
})

/** GET /v2/usercollection/personal_info: one object and no list. */
export const OuraPersonalInfoSchema = z.object({
  id: opaqueId,
  email: z.string().nullish().catch(undefined),
  /** Metres. */
  height: measured.catch(undefined),
  /** Kilograms. */
  weight: measured.catch(undefined),
})

/** The envelope of a list. Its documents are parsed one by one, so that one wrong document does not cost the others. */
export const OuraPageSchema = z.object({
  /** Unchecked, because they are parsed JSON. */
  data: z.array(z.custom<Json>()),
  next_token: pageToken,
})

export type OuraInterval = z.infer<typeof interval>
export type OuraSleep = z.infer<typeof OuraSleepSchema>
export type OuraSleepRecord = z.infer<typeof OuraSleepRecordSchema>
export type OuraRecoveryRecord = z.infer<typeof OuraRecoveryRecordSchema>
export type OuraWorkoutRecord = z.infer<typeof OuraWorkoutRecordSchema>
export type OuraCycleRecord = z.infer<typeof OuraCycleRecordSchema>
export type OuraPersonalInfo = z.infer<typeof OuraPersonalInfoSchema>

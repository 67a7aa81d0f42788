// The shapes of Withings' API, with wire names, and only the fields that are read. Fields that are not known are ignored.
// A missing field may be absent or null. https://developer.withings.com/api-reference
import { isDate } from "@restwell/client/calendar-dates"
import { SECOND_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import { possibleIn } from "../normalize/possible-figures.ts"
import { isZone } from "../normalize/zoned-days.ts"

/** A number that some people, devices or days lack. Minus one stands for none, and nothing else below zero does. */
const measured = z
  .number()
  .nullish()
  .refine((value) => value == null || value >= -1, { error: "below zero" })
  .transform((value) => (value === -1 ? undefined : value))
  .optional()
const text = z.string().nullish()

/** Numbers or texts of digits. */
const withingsId = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)], { error: "not an id" })
  .transform(String)

/** Seconds since 1970. */
const instant = z.number().transform((seconds, context) => {
  const at = new Date(seconds * SECOND_MS)
  if (isPlausibleInstant(at)) return at
  context.addIssue({ code: "custom", message: "not an instant of this century" })
  return z.NEVER
})

/** Seconds since 1970 as they are written. */
const writtenInstant = z
  .number()
  .nullish()
  .refine((seconds) => seconds == null || isPlausibleInstant(new Date(seconds * SECOND_MS)), {
    error: "not an instant of this century",
  })

/** An IANA name. Without it nothing tells the date. */
const zone = z.string().refine(isZone, { error: "not a time zone" })

export const localDate = z.string().refine(isDate, { error: "not a date" })

/** An object without any field is an empty array. */
const objectOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema)

/** A page of a list. Its rows are parsed one by one, so that one wrong row does not cost the others. */
export const WithingsPageSchema = z.object({
  body: objectOf(
    z.looseObject({
      more: z.union([z.boolean(), z.number()]).nullish(),
      offset: z.number().nullish(),
      timezone: text.catch(undefined),
    }),
  ),
})

export const WithingsListSchema = z.array(z.custom<Json>())

/** The times of a row, and its date, whatever its other fields are. */
export const WithingsSpanSchema = z.object({
  id: withingsId,
  startdate: instant,
  enddate: instant,
  timezone: zone,
})

export const WithingsDatedSchema = z.object({ date: localDate }).transform(({ date }) => date)
export const WithingsIdSchema = z.object({ id: withingsId }).transform(({ id }) => id)

/** Of a part of a night, seconds. */
const partOfNight = measured.superRefine(possibleIn("sleep", "asleepMs", { per: 1 / SECOND_MS }))

const SleepDataSchema = z.object({
  total_timeinbed: measured.superRefine(possibleIn("sleep", "durationMs", { per: 1 / SECOND_MS })),
  total_sleep_time: partOfNight,
  /** Of sources outside Withings that find no stages. */
  asleepduration: partOfNight,
  lightsleepduration: partOfNight,
  deepsleepduration: partOfNight,
  remsleepduration: partOfNight,
  wakeupduration: partOfNight,
  /** Times awake in bed, without those of getting up. */
  wakeupcount: measured,
  /** From going to bed to falling asleep, seconds. */
  sleep_latency: measured,
  /** A ratio. */
  sleep_efficiency: measured,
  sleep_score: measured,
  hr_average: measured,
  hr_min: measured,
  rr_average: measured,
  /** RMSSD at the beginning and at the end of the night, milliseconds. */
  rmssd_start_avg: measured,
  rmssd_end_avg: measured,
})

/** All that is asked for. Without these names Withings leaves most of it out. */
export const SLEEP_FIELDS = Object.keys(SleepDataSchema.shape)

/** A night or a nap, and when it was changed. */
const SleepRowSchema = WithingsSpanSchema.extend({
  /** 16 a tracker, 32 a mat under the mattress. */
  model: measured,
  created: instant.nullish(),
  modified: instant.nullish(),
  completed: z.union([z.boolean(), z.number()]).nullish(),
  data: objectOf(SleepDataSchema).nullish(),
})

/** Values by the second of their time. */
const valuesBySecond = objectOf(z.record(z.string().regex(/^\d{9,11}$/), z.number())).nullish()

const SegmentSchema = z.object({
  startdate: instant,
  enddate: instant,
  /** 0 awake, 1 light, 2 deep, 3 REM. Others are no stages. */
  state: z.int().nullish(),
  hr: valuesBySecond,
  rmssd: valuesBySecond,
})

export const SEGMENT_FIELDS = ["startdate", "enddate", "state", "hr", "rmssd"] as const
export const DETAIL_FIELDS = ["hr", "rmssd"] as const

/** A measure of a group, from 10 to the power of `unit`. */
export const MeasureSchema = z.object({ value: z.number(), type: z.int(), unit: z.int().min(-12).max(12) })

/** What was measured at once, or typed. */
export const MeasureGroupSchema = z.object({
  grpid: withingsId,
  attrib: z.int().nullish(),
  date: instant,
  modified: writtenInstant.catch(undefined),
  category: z.int().nullish(),
  measures: z.array(z.custom<Json>()),
})
export type MeasureGroup = z.infer<typeof MeasureGroupSchema>

/** Rows of the night that a record is made of, by collection. */
export const JoinedNightSchema = z.object({
  sleep: SleepRowSchema,
  /** What the other rows of its date say. */
  is_nap: z.boolean(),
  sleep_details: z.object({ series: z.array(SegmentSchema) }).nullish(),
  spo2: z.object({ date: instant, modified: writtenInstant, percent: z.number() }).nullish(),
})
export type JoinedNight = z.infer<typeof JoinedNightSchema>
export const JoinedIdSchema = z.object({ sleep: WithingsIdSchema }).transform(({ sleep }) => sleep)

const WorkoutDataSchema = z.object({
  calories: measured,
  distance: measured,
  hr_average: measured,
  hr_max: measured,
  /** What the person typed, zero for nothing. */
  manual_calories: measured,
  manual_distance: measured,
})
export const WORKOUT_FIELDS = Object.keys(WorkoutDataSchema.shape)

export const WithingsWorkoutSchema = WithingsSpanSchema.extend({
  category: z.int().nullish(),
  modified: instant.nullish(),
  model: measured,
  data: objectOf(WorkoutDataSchema).nullish(),
})
export type WithingsWorkout = z.infer<typeof WithingsWorkoutSchema>

export const WithingsActivitySchema = z.object({
  date: localDate,
  timezone: zone,
  modified: instant.nullish(),
  steps: measured,
  /** Metres. */
  distance: measured,
  /** Kilocalories beyond rest. */
  calories: measured,
  totalcalories: measured,
  hr_average: measured,
  hr_max: measured,
})
export type WithingsActivity = z.infer<typeof WithingsActivitySchema>
export const ACTIVITY_FIELDS = ["steps", "distance", "calories", "totalcalories", "hr_average", "hr_max"] as const

/** What tells which row of a date counts, whatever its other fields are. */
export const ActivityOriginSchema = z.object({
  brand: z.number().nullish().catch(undefined),
  is_tracker: z.boolean().nullish().catch(undefined),
  steps: z.number().nullish().catch(undefined),
})

// The shapes of intervals.icu's API, with wire names, and only the fields that are read. Fields that are not known are ignored.
// A missing field may be absent or null. https://intervals.icu/api-docs.html
import { isDate } from "@restwell/client/calendar-dates"
import { SECOND_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { textOrNumberId } from "../normalize/opaque-texts.ts"
import { possibleIn } from "../normalize/possible-figures.ts"
import { instant } from "../normalize/read-records.ts"
import { startOf } from "./days.ts"

/** A number that some people, devices or days lack. */
const measured = z.number().nullish()
const text = z.string().nullish()
/** One for which another field stands in: what cannot be true has to be found here. Zero is no measurement. */
const oneOf = (kind: "recovery" | "workout", field: string, per = 1) =>
  measured.superRefine(possibleIn(kind, field, { per, missing: [0] }))

/** A calendar date. */
export const localDate = z.string().refine(isDate, { error: "not a date" })

/** Its own ids have a letter in front, those of Strava none. */
const activityId = textOrNumberId

/** Whose key it is. Its time zone is that of the days. */
export const IntervalsAthleteSchema = z.object({
  id: activityId,
  timezone: text.catch(undefined),
  firstname: text.catch(undefined),
  lastname: text.catch(undefined),
  name: text.catch(undefined),
  email: text.catch(undefined),
  /** Kilograms. */
  weight: measured.catch(undefined),
})

/** The date of a wellness row. */
export const IntervalsDateSchema = z.object({ id: localDate }).transform(({ id }) => id)

/** A day. Rows of days without a measurement have figures of intervals.icu's own training model alone. */
export const IntervalsWellnessSchema = z.object({
  id: localDate,
  updated: instant.nullish(),
  /** Seconds, asleep or in bed: the device decides. */
  sleepSecs: measured,
  /** Beats per minute. */
  restingHR: measured,
  /** RMSSD, milliseconds. */
  hrv: oneOf("recovery", "hrvMs"),
  /** SDNN, milliseconds, of Apple's devices. */
  hrvSDNN: oneOf("recovery", "hrvMs"),
  /** Percent. Both spellings were seen. */
  spO2: oneOf("recovery", "spo2Percent"),
  spo2: oneOf("recovery", "spo2Percent"),
  steps: measured,
  /** Kilograms. */
  weight: measured,
  /** True for a value that is carried over from an earlier day. */
  tempWeight: z.boolean().nullish(),
  tempRestingHR: z.boolean().nullish(),
})

/** The fields of a row that each kind is made of. The row has more, such as comments and menstrual phases, which are never stored. */
export const WELLNESS_FIELDS = {
  recovery: ["id", "updated", "sleepSecs", "restingHR", "hrv", "hrvSDNN", "spO2", "spo2", "tempRestingHR"],
  cycle: ["id", "updated", "steps"],
  weight: ["id", "weight", "tempWeight"],
} as const

/** The id of an activity, whatever else it has. */
export const IntervalsActivityIdSchema = z.object({ id: activityId }).transform(({ id }) => id)

/** A local time without an offset. */
const localTime = z.string().refine(isLocalTime, { error: "not a local time" })

function isLocalTime(value: string): boolean {
  try {
    return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value) && Temporal.PlainDateTime.from(value).year >= 2000
  } catch {
    return false
  }
}

/** What tells an activity that Strava hides: it has a note and no type. */
export const IntervalsStubSchema = z.object({
  source: text.catch(undefined),
  _note: text.catch(undefined),
  start_date_local: z.string().nullish().catch(undefined),
})

const ActivityRow = z.object({
  id: activityId,
  /** A name in CamelCase: `TrailRun`. */
  type: z.string().max(100).nullish(),
  start_date: instant.nullish(),
  start_date_local: localTime.nullish(),
  timezone: text,
  /** Seconds. */
  elapsed_time: oneOf("workout", "durationMs", 1 / SECOND_MS),
  moving_time: oneOf("workout", "durationMs", 1 / SECOND_MS),
  icu_recording_time: oneOf("workout", "durationMs", 1 / SECOND_MS),
  /** Metres. */
  distance: oneOf("workout", "distanceMeters"),
  icu_distance: oneOf("workout", "distanceMeters"),
  /** Kilocalories. */
  calories: measured,
  /** Beats per minute. */
  average_heartrate: measured,
  max_heartrate: measured,
  /** Training load, about a hundred for an hour at the threshold. */
  icu_training_load: measured,
  device_name: text,
  /** Where intervals.icu has it from, as GARMIN_CONNECT. */
  source: text,
  /** Its id there. */
  external_id: z.union([z.string().max(100), z.number().int().transform(String)]).nullish(),
})

export const ACTIVITY_FIELDS = [...Object.keys(ActivityRow.shape), "_note"]

/** An activity with its times. Without a start, or a length, nothing true can be made of it. */
export const IntervalsActivitySchema = ActivityRow.transform((row, context) => {
  const start = startOf({ utc: row.start_date, local: row.start_date_local, zone: row.timezone })
  const seconds = [row.elapsed_time, row.icu_recording_time, row.moving_time].find(
    (value) => value != null && value > 0,
  )
  if (start && seconds != null) return { ...row, start, seconds }
  context.addIssue({ code: "custom", message: start ? "no length" : "no start with an offset" })
  return z.NEVER
})

/** A list. Its rows are parsed one by one, so that one wrong row does not cost the others. */
export const IntervalsListSchema = z.array(z.custom<Json>())

export type IntervalsAthlete = z.infer<typeof IntervalsAthleteSchema>
export type IntervalsWellness = z.infer<typeof IntervalsWellnessSchema>
export type IntervalsActivity = z.infer<typeof IntervalsActivitySchema>

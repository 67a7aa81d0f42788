// The shapes of Ultrahuman's personal API, with wire names, and only the fields that are read. Fields that are not known are ignored.
// Every part of an object may be missing or null. https://vision.ultrahuman.com/developer-docs
import { MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { possibleIn } from "../normalize/possible-figures.ts"

const number = z.number().nullish()
/** Unix seconds, which are whole. */
const instant = z
  .number()
  .refine((seconds) => !Number.isNaN(new Date(seconds * SECOND_MS).getTime()), { error: "not an instant" })
  .transform(Math.round)

/** An empty map is written as an empty list too. */
const noDates = z.array(z.never()).transform((): Record<string, null> => ({}))

/** An answer. It has a map of dates, or the list of one date, and of an empty day nothing. */
export const UltrahumanAnswerSchema = z.object({
  data: z
    .object({
      metrics: z.union([z.record(z.string(), z.array(z.custom<Json>()).nullish()), noDates]).nullish(),
      metric_data: z.array(z.custom<Json>()).nullish(),
      latest_time_zone: z.string().nullish().catch(undefined),
    })
    .nullable(),
})

const status = z.union([z.number(), z.string()]).nullish().catch(undefined)
const refusal = z.union([z.string().min(1), z.object({}).loose()])

/** What tells a refusal in an answer with status 200: an error, or in place of the data a message. */
export const UltrahumanErrorSchema = z.union([
  z.object({ error: refusal, status }),
  z
    .object({ data: z.null().optional(), message: refusal, status })
    .transform(({ message, ...rest }) => ({ ...rest, error: message })),
])

/** A figure or a series of a date. Its name is written in several ways. */
export const UltrahumanEntrySchema = z.object({
  type: z.string().transform((type) => type.trim().toLowerCase()),
  object: z.record(z.string(), z.custom<Json>()),
})

/** A value of a series. Either part may be missing. */
export const UltrahumanPointSchema = z.object({ timestamp: instant, value: z.number() })

/** Where a series of one date begins. */
export const UltrahumanDayStartSchema = z.object({ day_start_timestamp: instant })

/** Zero is none, and where another field stands in for one that cannot be true, it has to be found here. */
const oneOf = (kind: "sleep" | "recovery", field: string, per = 1) =>
  number.superRefine(possibleIn(kind, field, { per, missing: [0] }))

const minutesOf = (field: string) => z.object({ minutes: oneOf("sleep", field, 1 / MINUTE_MS) }).nullish()
const percentage = z.object({ percentage: number }).nullish()

const stageName = z.enum(["deep_sleep", "light_sleep", "rem_sleep", "awake"])
export type StageName = z.infer<typeof stageName>

/** A night. Its object has more, such as graphs of values that come apart. */
const SleepObjectSchema = z.object({
  bedtime_start: instant,
  bedtime_end: instant,
  sleep_score: z.object({ score: number }).nullish(),
  total_sleep: minutesOf("asleepMs"),
  time_in_bed: minutesOf("durationMs"),
  deep_sleep: minutesOf("stages.deepMs"),
  light_sleep: minutesOf("stages.lightMs"),
  rem_sleep: minutesOf("stages.remMs"),
  sleep_efficiency: percentage,
  sleep_stages: z.array(z.object({ type: stageName, stage_time: oneOf("sleep", "asleepMs", 1 / SECOND_MS) })).nullish(),
  sleep_graph: z
    .object({ data: z.array(z.object({ start: instant, end: instant, type: stageName })).nullish() })
    .nullish(),
})

/** The times of a sleep, whatever else it has. */
export const UltrahumanBedtimesSchema = z.object({ bedtime_start: instant, bedtime_end: instant })
/** Those of one that has a score. */
export const UltrahumanTimesSchema = UltrahumanBedtimesSchema.extend({ sleep_score: z.object({}).loose() })

/** Fields of a sleep that its record is made of, and those that the recovery of its date is made of. */
export const SLEEP_FIELDS = Object.keys(SleepObjectSchema.shape)
export const VITAL_FIELDS = ["spo2", "average_body_temperature", "temperature_deviation"]

const row = {
  id: z.string().min(1),
  date: z.string(),
  zone: z.string(),
  is_zone_unknown: z.literal(true).exactOptional(),
}
const figure = z.object({ value: number, avg: number }).nullish()
const restingRate = z
  .object({ value: oneOf("recovery", "restingHeartRateBpm"), avg: oneOf("recovery", "restingHeartRateBpm") })
  .nullish()
const oxygen = z.object({ value: oneOf("recovery", "spo2Percent"), avg: oneOf("recovery", "spo2Percent") }).nullish()
const deviation = oneOf("recovery", "skinTempDeviationCelsius")

/** A night of a date, with the zone of its answer. */
export const UltrahumanSleepSchema = z.object({ ...row, sleep: SleepObjectSchema })

/** What a date says of the night before it. */
export const UltrahumanRecoverySchema = z.object({
  ...row,
  sleep_id: z.string().nullish(),
  recovery_index: figure,
  avg_sleep_hrv: figure,
  sleep_rhr: restingRate,
  night_rhr: restingRate,
  spo2: oxygen,
  sleep: z
    .object({
      spo2: z.object({ value: oneOf("recovery", "spo2Percent") }).nullish(),
      average_body_temperature: z.object({ celsius: number }).nullish(),
      temperature_deviation: z.object({ celsius: deviation, value: deviation }).nullish(),
    })
    .nullish(),
})

/** A day. */
export const UltrahumanCycleSchema = z.object({ ...row, steps: z.object({ total: number }).nullish() })

/** The id of a row, whatever else it has. */
export const UltrahumanIdSchema = z.object({ id: z.string().min(1) }).transform(({ id }) => id)
export const UltrahumanDateSchema = z.object({ date: z.string() }).transform(({ date }) => date)

export type UltrahumanBedtimes = z.infer<typeof UltrahumanBedtimesSchema>
export type UltrahumanSleep = z.infer<typeof UltrahumanSleepSchema>
export type UltrahumanRecovery = z.infer<typeof UltrahumanRecoverySchema>
export type UltrahumanCycle = z.infer<typeof UltrahumanCycleSchema>

// The shapes that WHOOP's API v2 sends, with wire names, and only the fields that are read. Unknown fields are ignored.
// A missing field may be absent or null. Whole numbers may be floats. A record is rejected only if no true record can be made of it.
// https://developer.whoop.com/api
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { pageToken } from "../normalize/opaque-texts.ts"
import { instant } from "../normalize/read-records.ts"

/** A number that some people, devices or nights lack. */
const measured = z.number().nullish()
/** Milliseconds. */
const durationMilli = z.number().nonnegative().nullish()

/** Local offset `Z`, `+hh:mm` or `+hhmm` as minutes east of UTC, -12:00 to +14:00. */
export const utcOffset = z.string().transform((text, context) => {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?([0-5]\d)$/.exec(text.trim()) ?? []
  if (/^z$/i.test(text.trim())) return 0
  const distance = Number(hours) * 60 + Number(minutes)
  const total = sign === "-" ? 0 - distance : distance
  if (total >= -12 * 60 && total <= 14 * 60) return total
  context.addIssue({ code: "custom", message: "not an offset from UTC" })
  return z.NEVER
})

/** The int64 ids of cycles and users, read as text. */
export const numericId = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,19}$/)], { error: "not a numeric id" })
  .transform(String)
/** Sleeps and workouts: a UUID. Other short ids of its letters are accepted: the record is whole. */
const activityId = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, { error: "not an id of an activity" })

/** The id of a sleep or workout, whatever else it has. */
export const WhoopActivityIdSchema = z.object({ id: activityId }).transform(({ id }) => id)
/** The id of a cycle. */
export const WhoopCycleIdSchema = z.object({ id: numericId }).transform(({ id }) => id)
/** The id of a recovery, which is its cycle's. */
export const WhoopRecoveryIdSchema = z.object({ cycle_id: numericId }).transform(({ cycle_id }) => cycle_id)

/**
 * A record with its score. Only SCORED records have one: others have none, or what is left of an earlier score.
 * @see https://developer.whoop.com/docs/developing/user-data/sleep
 */
function withScore<Fields extends z.ZodRawShape, Score extends z.ZodType>(fields: Fields, score: Score) {
  return z.discriminatedUnion("score_state", [
    z.object({ ...fields, score_state: z.literal("SCORED"), score: z.nullish(score) }),
    z.object({ ...fields, score_state: z.enum(["PENDING_SCORE", "UNSCORABLE"]) }),
  ])
}

interface Interval {
  readonly start: Date
  readonly end?: Date | null | undefined
}

const endsAfterItsStart = ({ start, end }: Interval) => !end || end >= start
const END_BEFORE_START = { path: ["end"], error: "before start" }

const sleepScore = z.object({
  stage_summary: z
    .object({
      total_in_bed_time_milli: durationMilli,
      total_awake_time_milli: durationMilli,
      total_light_sleep_time_milli: durationMilli,
      total_slow_wave_sleep_time_milli: durationMilli,
      total_rem_sleep_time_milli: durationMilli,
      disturbance_count: measured,
    })
    .nullish(),
  /** Milliseconds. Their sum is the need. */
  sleep_needed: z
    .object({
      baseline_milli: measured,
      need_from_sleep_debt_milli: measured,
      need_from_recent_strain_milli: measured,
      /** Zero or negative. */
      need_from_recent_nap_milli: measured,
    })
    .nullish(),
  /** Breaths per minute. */
  respiratory_rate: measured,
  /** Percent, 0-100. */
  sleep_performance_percentage: measured,
  /** Percent, 0-100. */
  sleep_consistency_percentage: measured,
  /** Percent, 0-100. */
  sleep_efficiency_percentage: measured,
})

/** A night or a nap. @see https://developer.whoop.com/docs/developing/user-data/sleep */
export const WhoopSleepSchema = withScore(
  {
    id: activityId,
    cycle_id: numericId.nullish(),
    updated_at: instant,
    start: instant,
    end: instant,
    timezone_offset: utcOffset,
    nap: z.boolean(),
  },
  sleepScore,
).refine(endsAfterItsStart, END_BEFORE_START)

/** A recovery has no id, time or zone of its own. @see https://developer.whoop.com/docs/developing/user-data/recovery */
export const WhoopRecoverySchema = withScore(
  { cycle_id: numericId, sleep_id: activityId.nullish(), created_at: instant, updated_at: instant },
  z.object({
    /** Percent, 0-100. */
    recovery_score: measured,
    /** Beats per minute. */
    resting_heart_rate: measured,
    /** RMSSD, milliseconds. */
    hrv_rmssd_milli: measured,
    /** Percent; WHOOP 4.0 and later. */
    spo2_percentage: measured,
    /** Absolute, degrees Celsius; WHOOP 4.0 and later. */
    skin_temp_celsius: measured,
  }),
)

/** Milliseconds in each heart rate zone. */
const zoneDurations = z
  .object({
    zone_zero_milli: durationMilli,
    zone_one_milli: durationMilli,
    zone_two_milli: durationMilli,
    zone_three_milli: durationMilli,
    zone_four_milli: durationMilli,
    zone_five_milli: durationMilli,
  })
  .nullish()

/** Longer texts are no slug. WHOOP's longest has 22 characters. */
const LONGEST_SPORT_NAME = 100

/** @see https://developer.whoop.com/docs/developing/user-data/workout */
export const WhoopWorkoutSchema = withScore(
  {
    id: activityId,
    updated_at: instant,
    start: instant,
    end: instant,
    timezone_offset: utcOffset,
    /** A slug: `weightlifting_msk`, `hiking-rucking`. */
    sport_name: z.string().max(LONGEST_SPORT_NAME).nullish(),
    /** WHOOP announced its end for September 2025 and still sent it a year later. */
    sport_id: z.int().nullish(),
  },
  z.object({
    /** 0-21, logarithmic. */
    strain: measured,
    /** Beats per minute. */
    average_heart_rate: measured,
    /** Beats per minute. */
    max_heart_rate: measured,
    /** Energy, kilojoules. */
    kilojoule: measured,
    /** Metres; null for sports without distance. */
    distance_meter: measured,
    zone_durations: zoneDurations,
    /** The spelling of v1. */
    zone_duration: zoneDurations,
  }),
).refine(endsAfterItsStart, END_BEFORE_START)

/** From one main sleep's onset to the next. @see https://developer.whoop.com/docs/developing/user-data/cycle */
export const WhoopCycleSchema = withScore(
  {
    id: numericId,
    updated_at: instant,
    start: instant,
    /** Null or absent while the cycle is open. */
    end: instant.nullish(),
    timezone_offset: utcOffset,
  },
  z.object({
    /** 0-21, logarithmic. */
    strain: measured,
    /** Energy of the whole cycle, kilojoules. */
    kilojoule: measured,
    /** Beats per minute. */
    average_heart_rate: measured,
    /** Beats per minute. */
    max_heart_rate: measured,
  }),
).refine(endsAfterItsStart, END_BEFORE_START)

const textOrNothing = z.string().nullish().catch(undefined)
const measuredOrNothing = measured.catch(undefined)

/** GET /v2/user/profile/basic. Only the id is required: a wrong name must not cost the connection its profile. */
export const WhoopProfileSchema = z.object({
  user_id: numericId,
  email: textOrNothing,
  first_name: textOrNothing,
  last_name: textOrNothing,
})

/** GET /v2/user/measurement/body. Anything else counts as no measurements. */
export const WhoopBodySchema = z
  .object({
    /** Metres. */
    height_meter: measuredOrNothing,
    /** Kilograms. */
    weight_kilogram: measuredOrNothing,
    /** Beats per minute. */
    max_heart_rate: measuredOrNothing,
  })
  .catch({})

/** The envelope of a list. Its records are parsed one by one, so that one wrong record does not cost the others. */
export const WhoopPageSchema = z.object({
  /** Unchecked, because they are parsed JSON. */
  records: z.array(z.custom<Json>()),
  next_token: pageToken,
})

export type WhoopSleep = z.infer<typeof WhoopSleepSchema>
export type WhoopRecovery = z.infer<typeof WhoopRecoverySchema>
export type WhoopWorkout = z.infer<typeof WhoopWorkoutSchema>
export type WhoopCycle = z.infer<typeof WhoopCycleSchema>
export type WhoopProfile = z.infer<typeof WhoopProfileSchema>
export type WhoopBody = z.infer<typeof WhoopBodySchema>

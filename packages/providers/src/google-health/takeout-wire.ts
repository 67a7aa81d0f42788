// Google Takeout's files of Fitbit as they are written: spellings of times and numbers, and the fields that are read. Google describes the
// columns in a README of each folder; the old files have no description. The shapes were compared with public parsers of both forms.
// @see https://github.com/kev-m/FitOut, https://github.com/armixlabs/FitbitToGarminConverter, https://github.com/saubury/duckdb-fitbit
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { Bound } from "../contract/records.ts"
import { isStorableText } from "../contract/storable.ts"
import { writtenMs } from "../normalize/clock-time.ts"
import { type Check, possibleIn, possibleSample } from "../normalize/possible-figures.ts"

const EARLIEST_MS = Date.UTC(2000, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** A time in a file. */
export interface WrittenTime {
  /** The time as if the clock that showed it were UTC's. */
  readonly shown: Date
  /** Minutes east of UTC. Undefined for a time without a zone. */
  readonly utcOffsetMinutes: number | undefined
}

const ISO = /^([\d-]{10}(?:[T ][\d:.]+)?) ?(Z|[+-]\d\d:?\d\d)?$/
/** The month is first, and the year has two digits. */
const AMERICAN = /^(\d\d)\/(\d\d)\/(\d\d)(?: (\d\d:\d\d:\d\d))?$/

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1)
}

function shownOf(text: string): { readonly ms: number; readonly zone: string | undefined } {
  const [, month, day, year, clock = "00:00:00"] = AMERICAN.exec(text) ?? []
  if (year !== undefined) return { ms: writtenMs(`20${year}-${month}-${day}T${clock}`), zone: undefined }
  const [, local = "", zone] = ISO.exec(text) ?? []
  return { ms: writtenMs(local), zone }
}

const time = z.string({ error: "no time" }).transform((text, issues): WrittenTime => {
  const { ms, zone } = shownOf(text.trim().slice(0, 40))
  if (!(ms >= EARLIEST_MS && ms < LATEST_MS)) issues.addIssue("no time of this century")
  return { shown: new Date(ms), utcOffsetMinutes: zone === undefined ? undefined : minutesOf(zone) }
})

/** A time with a zone, or without one in UTC. */
const instant = time.transform(
  ({ shown, utcOffsetMinutes = 0 }) => new Date(shown.getTime() - utcOffsetMinutes * MINUTE_MS),
)

/** A number in a cell. Blank cells and `NaN` are missing. */
const figure = z
  .string()
  .optional()
  .transform((text = "", issues): number | undefined => {
    const cell = text.trim()
    if (cell === "" || /^(?:nan|null)$/i.test(cell)) return undefined
    const value = Number(cell)
    if (!Number.isFinite(value)) issues.addIssue("not a number")
    return value
  })

const MOST_MINUTES = 1_440
/** Minutes of a sleep. */
const minutes = figure.refine((value) => value === undefined || (value >= 0 && value <= MOST_MINUTES), {
  error: "outside 0 to 1440 minutes",
})

/** A figure with -1 for missing. */
const score = figure.transform((value) => (value === -1 ? undefined : value))
/** A part of a score, in points. */
const part = score.refine((value) => value === undefined || (value >= 0 && value <= 100), {
  error: "outside 0 to 100 points",
})
/** What Fitbit's readiness is made of. */
export type ScorePart = "activity" | "sleep" | "hrv"
export type ScoreParts = Readonly<Partial<Record<ScorePart, number | undefined>>>

/** Of a workout, by which its energy is limited. */
const LONGEST_MS = 7 * DAY_MS
const ABSENT = { missing: [0] }
/** The scores of a sleep. Of two files with one, the score that can be true counts. */
const SCORES = {
  overall_score: score.superRefine(possibleIn("sleep", "scorePercent")),
  duration_score: part,
  composition_score: part,
  revitalization_score: part,
  resting_heart_rate: score.superRefine(possibleIn("recovery", "restingHeartRateBpm", ABSENT)),
}
const offset = z
  .string()
  .optional()
  .transform((text = "") => (/^[+-]\d\d:?\d\d$/.test(text.trim()) ? minutesOf(text.trim()) : undefined))
const text = z.string().max(200).refine(isStorableText, { error: "a character that cannot be stored" })
const id = z.union([z.int(), z.string().regex(/^[\w-]{1,60}$/)]).transform(String)

/** When the vendor changed a row. One that cannot be read says nothing. */
const changedAt = instant.optional().catch(undefined)

/** A row of `UserSleeps_*.csv`: times in UTC, and the offsets of the local clock. */
export const SleepRowSchema = z.object({
  sleep_id: id,
  sleep_type: text.optional(),
  minutes_asleep: minutes,
  minutes_to_fall_asleep: minutes,
  start_utc_offset: offset,
  sleep_start: instant,
  end_utc_offset: offset,
  sleep_end: instant,
  sleep_last_updated: changedAt,
})

/** A row of `UserSleepStages_*.csv`. */
export const StageRowSchema = z.object({
  sleep_id: id,
  sleep_stage_type: text,
  sleep_stage_start: instant,
  sleep_stage_end: instant,
})

/** A row of `UserSleepScores_*.csv`. */
export const ScoreRowSchema = z.object({ sleep_id: id, ...SCORES })

/** A row of `sleep_score.csv`. Its id is that of the old sleep, and its time is that of waking up. */
export const OldScoreRowSchema = z.object({
  sleep_log_entry_id: id,
  timestamp: instant,
  ...SCORES,
})

const MILLIMETRES = 1_000
/** A figure of a workout. What was entered by hand counts where the device's own cannot be true. */
const ofWorkout = (field: string, per = 1) =>
  score.superRefine(possibleIn("workout", field, { ...ABSENT, per, lengthMs: LONGEST_MS }))

/** A row of `UserExercises_*.csv`. */
export const ExerciseRowSchema = z.object({
  exercise_id: id,
  exercise_start: instant,
  exercise_end: instant,
  utc_offset: offset,
  activity_name: text.optional(),
  data_source: text.optional(),
  tracker_total_calories: ofWorkout("energyKcal"),
  tracker_total_distance_mm: ofWorkout("distanceMeters", MILLIMETRES),
  tracker_avg_heart_rate: ofWorkout("averageHeartRateBpm"),
  tracker_peak_heart_rate: ofWorkout("maxHeartRateBpm"),
  manually_logged_total_calories: ofWorkout("energyKcal"),
  manually_logged_total_distance_mm: ofWorkout("distanceMeters", MILLIMETRES),
  deletion_reason: text.optional(),
  exercise_last_updated: changedAt,
})

/** A row of a table with a time, a value and the app or device that it is from. */
export const ValueRowSchema = z.object({ time, value: figure, source: text.optional() })
/** A row with a possible figure of a date, with the baseline of such a figure, and with the parts of a score. */
export function dailyRowSchema([kind, field]: readonly [kind: Bound["kind"], field: string]) {
  const value = figure.superRefine(possibleIn(kind, field, ABSENT))
  return ValueRowSchema.extend({ value, second: value, activity: part, sleep: part, hrv: part })
}
/** A row with a possible figure of a minute that is added up. */
export const minuteRowSchema = (check: Check) => ValueRowSchema.extend({ value: figure.superRefine(check) })

const minutesOfExercise = figure.superRefine(possibleSample("exercise_minutes"))
/** A row of `active_minutes_*.csv`: the minutes of each strength. */
export const ActiveRowSchema = z.object({
  time,
  moderate: minutesOfExercise,
  very: minutesOfExercise,
  source: text.optional(),
})
/** A row of `active_zone_minutes_*.csv` or `Active Zone Minutes - *.csv`: points in a zone. */
export const ZoneRowSchema = z.object({ time, zone: text, points: minutesOfExercise, source: text.optional() })
/** A row of `Stress Score.csv`. Its date is local. */
export const StressRowSchema = z.object({
  time,
  value: figure.superRefine(possibleSample("stress")),
  failed: text.optional(),
})

const seconds = z.number().min(0).max(86_400)
const SegmentSchema = z.object({ dateTime: time, level: text, seconds })
const SummarySchema = z.object({
  minutes: z.number().min(0).max(MOST_MINUTES).nullish(),
  /** How often the sleep entered the stage. @see https://dev.fitbit.com/build/reference/web-api/sleep/get-sleep-log-by-date/ */
  count: z.number().superRefine(possibleIn("sleep", "timesAwake")).nullish(),
})

/** A sleep of `sleep-*.json`. Its times are local. */
export const OldSleepSchema = z.object({
  logId: id,
  startTime: time,
  endTime: time,
  minutesAsleep: z.number().min(0).max(MOST_MINUTES).nullish(),
  minutesToFallAsleep: z.number().min(0).max(MOST_MINUTES).nullish(),
  type: text.nullish(),
  mainSleep: z.boolean().nullish(),
  levels: z
    .object({
      // A night without stages has others, of which nothing is read.
      summary: z
        .object({
          deep: SummarySchema.exactOptional(),
          light: SummarySchema.exactOptional(),
          rem: SummarySchema.exactOptional(),
          wake: SummarySchema.exactOptional(),
        })
        .nullish(),
      data: z.array(SegmentSchema).max(2_000).nullish(),
      shortData: z.array(SegmentSchema).max(2_000).nullish(),
    })
    .nullish(),
})

/** An activity of `exercise-*.json`. Its time is in UTC. */
export const OldExerciseSchema = z.object({
  logId: id,
  startTime: instant,
  duration: z.number().min(0),
  activityName: text.nullish(),
  /** The app or device that recorded it. */
  source: z.object({ name: text.nullish() }).nullish().catch(null),
  calories: z.number().nullish(),
  averageHeartRate: z.number().nullish(),
  distance: z.number().nullish(),
  distanceUnit: text.nullish(),
})

/** A minute of `steps-*.json` and the like. Its time is in UTC, where OldClock does not say otherwise. */
export const oldMinuteSchema = (check: Check) =>
  z.object({ dateTime: instant, value: z.union([figure, z.number()]).superRefine(check) })

/** A day of `very_active_minutes-*.json` and the like. Its date is local. */
export const OldActiveSchema = z.object({
  dateTime: time,
  value: z.union([minutesOfExercise, z.number()]).superRefine(possibleSample("exercise_minutes")),
})

/** A heart rate of `heart_rate-*.json`. Its time is in UTC. */
export const OldHeartRateSchema = z.object({
  dateTime: instant,
  value: z.object({ bpm: z.number(), confidence: z.number().nullish() }),
})

/** A day of `resting_heart_rate-*.json`. Days without a value are written as zero, with a date or without. */
export const OldRestingSchema = z.object({
  dateTime: time,
  value: z.object({
    value: z
      .number()
      .nullish()
      .superRefine(possibleIn("recovery", "restingHeartRateBpm", ABSENT)),
  }),
})

/** A day of `demographic_vo2_max-*.json`, in ml/kg/min: the day's estimate, and one that is smoothed over days. Its date is local. */
export const OldOxygenUptakeSchema = z.object({
  dateTime: time,
  value: z.object({ demographicVO2Max: z.number().nullish(), filteredDemographicVO2Max: z.number().nullish() }),
})

/** A weight of `weight-*.json`. Its time is local. */
export const OldWeightSchema = z.object({
  date: text,
  time: text.nullish(),
  weight: z.number(),
  bmi: z.number().nullish(),
  /** Percent, of scales that measure it. */
  fat: z.number().nullish(),
})

/** The local time of an old weight. */
export const OldWeightTimeSchema = time

export type SleepRow = z.infer<typeof SleepRowSchema>
export type StageRow = z.infer<typeof StageRowSchema>
export type ExerciseRow = z.infer<typeof ExerciseRowSchema>
export type OldSleep = z.infer<typeof OldSleepSchema>
export type OldExercise = z.infer<typeof OldExerciseSchema>
export type OldWeight = z.infer<typeof OldWeightSchema>

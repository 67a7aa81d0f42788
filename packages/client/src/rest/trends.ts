import { z } from "zod"
import { date, hours, instant, localInstant, value } from "./fields.ts"
import { HrvMethodSchema, MissingSchema, ScoreStateSchema, SourceSchema, SourcesSchema } from "./source.ts"

/** Minutes after the local midnight at the start of the date. A time before midnight is negative. */
const minutes = (description: string, example: number) =>
  z.int().meta({ description: `${description}, minutes after the local midnight at the start of \`date\``, example })

/** The person's usual range. */
const BandSchema = z
  .object({
    low: z.number().meta({ example: 58.1 }),
    high: z.number().meta({ example: 71.4 }),
  })
  .nullable()
  .meta({
    description:
      "Usual range: mean ± one standard deviation of the previous 30 scored nights of the same source; null with fewer than 5",
  })

export const CourseSchema = z
  .object({
    interval_minutes: z.int().min(1).meta({ description: "Length of an interval", example: 5 }),
    phases: z.array(z.enum(["awake", "light", "deep", "rem"]).nullable()).meta({
      description:
        "One for each interval from the start on, null where none is known. The last interval may be shorter",
    }),
  })
  .nullable()
  .meta({
    description:
      "The phases of the night, where the source has them. Null in periods of more than 31 dates, whose charts show no single night",
  })

const source = z.string().meta({ description: "The source of these figures", example: "whoop" })

export type NightCourse = z.infer<typeof CourseSchema>

const NightSchema = z
  .object({
    source,
    score_state: ScoreStateSchema,
    start: instant("When the night began", "2026-11-18T22:31:05.120Z"),
    end: instant("When it ended", "2026-11-19T06:30:44.870Z"),
    start_local: localInstant("When the night began", "2026-11-18T23:31:05+01:00"),
    end_local: localInstant("When it ended", "2026-11-19T07:30:44+01:00"),
    start_minutes: minutes("When it began on the clock of waking (`start_local` has that of falling asleep)", -29),
    end_minutes: minutes("When it ended", 451),
    duration_hours: hours("Time in bed", 7.99).unwrap(),
    asleep_hours: hours("Time asleep: light, deep and REM sleep. Null without stages", 7.46),
    need_hours: hours("Sleep that the person needed. Null from a source without it", 8.12),
    light_hours: hours("Light sleep", 3.85),
    deep_hours: hours("Deep (slow-wave) sleep", 1.67),
    rem_hours: hours("REM sleep", 1.94),
    awake_hours: hours("Awake inside the sleep period", 0.53),
    performance: value("Sleep performance: time asleep / sleep need, percent", 92),
    efficiency: value("Time asleep / time in bed, percent", 93.3),
    consistency: value("Sleep consistency: similarity of the sleep times of the last days, percent", 81),
    respiratory_rate: value("Breaths per minute", 14.6),
    score_delay_minutes: z
      .int()
      .nullable()
      .meta({ description: "Minutes from its end until the vendor had scored it; null where unknown", example: 14 }),
    course: CourseSchema,
  })
  .meta({ description: "The main sleep: the longest sleep of the date that is not a nap" })

const NapSchema = z.object({
  source,
  score_state: ScoreStateSchema,
  start_minutes: minutes("When it began on the clock then", 842),
  end_minutes: minutes("When it ended", 872),
  duration_hours: hours("Time in bed", 0.5).unwrap(),
  asleep_hours: hours("Time asleep; null before it is scored, and without stages", 0.42),
})

const TrendRecoverySchema = z.object({
  source,
  score_state: ScoreStateSchema,
  score: value("Recovery, percent", 67),
  hrv: value("Heart rate variability, milliseconds", 64.2),
  hrv_method: HrvMethodSchema,
  resting_heart_rate: value("Beats per minute", 52),
  spo2: value("Blood oxygen, percent", 96.4),
  skin_temp_celsius: value("Skin temperature, degrees Celsius", 33.6),
  skin_temp_deviation_celsius: value("Deviation from the mean of the previous 30 scored nights", -0.2),
})

const TrendStrainSchema = z.object({
  source,
  score_state: ScoreStateSchema,
  strain: value("The day's strain, 0 to 21", 12.4),
  calories: value("Kilocalories", 2310),
  steps: z.int().nullable().meta({ description: "Steps. Null from a source without them", example: 9204 }),
  active_calories: value("Kilocalories of activity. Null from a source without them", 540),
  is_open: z
    .boolean()
    .meta({ description: "True while the cycle is open: strain and calories may still increase", example: false }),
})

const TrendWorkoutSchema = z.object({
  source,
  id: z.string().meta({ example: "whoop-9a1c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
  sport_type: z.string().meta({ example: "running" }),
  score_state: ScoreStateSchema,
  start: instant("When it began", "2026-11-19T17:02:00.000Z"),
  start_local: localInstant("When it began", "2026-11-19T18:02:00+01:00"),
  start_minutes: minutes("When it began", 1082),
  duration_hours: hours("Duration", 0.75).unwrap(),
  strain: value("Strain, 0 to 21", 9.8),
  average_heart_rate: value("Beats per minute", 141),
  max_heart_rate: value("Beats per minute", 171),
  calories: value("Kilocalories", 512),
  distance_meters: value("Metres", 8012.5),
  device: z
    .string()
    .nullable()
    .meta({ description: "The device or app behind it, of a source that names one", example: "Garmin Forerunner 965" }),
})

export const TrendDaySchema = z
  .object({
    date: date("The local date"),
    sleep: NightSchema.nullable().meta({ description: "Null without a record" }),
    naps: z.array(NapSchema).meta({ description: "Oldest first. They are no part of the night" }),
    nap_hours: hours("Time in bed of all naps; null without a nap", 0.5),
    recovery: TrendRecoverySchema.nullable(),
    recovery_score_band: BandSchema,
    asleep_band: BandSchema,
    hrv_band: BandSchema,
    resting_heart_rate_band: BandSchema,
    spo2_band: BandSchema,
    skin_temp_deviation_band: BandSchema,
    respiratory_rate_band: BandSchema,
    strain: TrendStrainSchema.nullable(),
    workouts: z.array(TrendWorkoutSchema).meta({ description: "Oldest first" }),
  })
  .meta({ id: "TrendDay" })

/** GET /api/account/trends: one entry for each date, including dates without data. */
export const TrendsResponseSchema = z
  .object({
    period: z.object({
      start_date: date("The first date"),
      end_date: date("The last date"),
      days: z.int().meta({ description: "The number of dates", example: 30 }),
    }),
    today: date("Today in the person's time zone"),
    oldest_date: date("The oldest date of a stored record").nullable(),
    days: z.array(TrendDaySchema).meta({ description: "Oldest first" }),
    missing: MissingSchema.nullable().meta({ description: "As on /api/v1/health; null for more than 31 dates" }),
    source: SourceSchema.nullable().meta({ description: "The first of `sources`; null without any" }),
    sources: SourcesSchema,
  })
  .meta({ id: "TrendsResponse" })

export type TrendDay = z.infer<typeof TrendDaySchema>
export type TrendsResponse = z.infer<typeof TrendsResponseSchema>

const factors = (description: string) => z.array(z.string()).meta({ description, example: ["alcohol"] })

/** The journal of one date, whichever sources it comes from. */
export const JournalDaySchema = z
  .object({
    date: date("The local date of waking"),
    yes: factors("Factors that were answered with yes, by name"),
    no: factors("Factors that were answered with no, by name. A factor in neither list was not answered"),
  })
  .meta({ id: "JournalDay" })

/** GET /api/account/journal: one entry for each date that has an answer. */
export const JournalDaysResponseSchema = z
  .object({ days: z.array(JournalDaySchema).meta({ description: "Dates with an answer, oldest first" }) })
  .meta({ id: "JournalDaysResponse" })

export type JournalDay = z.infer<typeof JournalDaySchema>
export type JournalDaysResponse = z.infer<typeof JournalDaysResponseSchema>

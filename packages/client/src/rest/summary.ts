import { z } from "zod"
import { date, hours, instant, value, wholeValue } from "./fields.ts"
import { count, DatesSchema } from "./insights.ts"
import { HealthQuerySchema, rangeParameters, sportParameter } from "./query.ts"
import { HrvMethodSchema, MissingSchema, noteOfKey, SourceSchema, SourcesSchema } from "./source.ts"

const family = (records: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `The source of these averages: the one that was chosen for most dates of the period; null without ${records}`,
      example: "whoop",
    })
const counted = (description: string, example: number) => z.int().meta({ description, example })

/** The body of `type=summary`. An average without records is null. The counts give the number of records behind each average. */
export const SummaryResponseSchema = z
  .object({
    period: z.object({
      start: instant("Midnight at the first date, on the local clock of that time", "2026-11-13T23:00:00.000Z"),
      end: instant("Midnight after the last date, on the local clock of that time", "2026-11-20T23:00:00.000Z"),
      start_date: date("The first local date", "2026-11-14"),
      end_date: date("The last local date", "2026-11-20"),
      days: counted("The number of dates", 7),
    }),
    sleep: z.object({
      average_duration_hours: hours("Mean time in bed of the scored nights, naps excluded", 7.61),
      average_asleep_hours: hours("Mean time asleep of the scored nights, naps excluded", 7.05),
      average_need_hours: hours(
        "Mean sleep need of the scored nights, naps excluded. Null from a vendor without it",
        8.02,
      ),
      average_light_hours: hours("Mean light sleep of the scored nights, naps excluded", 3.72),
      average_deep_hours: hours("Mean deep (slow-wave) sleep of the scored nights, naps excluded", 1.58),
      average_rem_hours: hours("Mean REM sleep of the scored nights, naps excluded", 1.75),
      average_awake_hours: hours("Mean time awake inside of the scored nights, naps excluded", 0.55),
      average_performance: value("Mean sleep performance of the scored nights, percent", 84.1),
      average_efficiency: value("Mean sleep efficiency of the scored nights, percent", 92.7),
      night_count: counted("Number of scored nights in the averages", 7),
      source: family("nights"),
    }),
    recovery: z.object({
      average_score: value("Mean recovery score, percent", 63.4),
      average_hrv: value("Mean heart rate variability, milliseconds", 61.8),
      average_rhr: value("Mean resting heart rate, beats per minute", 52.3),
      day_count: counted("Number of scored recoveries in the averages", 7),
      source: family("recoveries"),
      hrv_method: HrvMethodSchema,
    }),
    strain: z.object({
      total: value(
        "Sum of the strain of the scored cycles. Strain is logarithmic: use the sum only to compare periods",
        78.3,
      ),
      average_daily: value("Mean strain of the scored cycles", 11.2),
      workout_count: counted("Number of workouts. Sauna, massage and similar activities are not counted", 4),
      cycle_count: counted("Number of scored cycles in the sum", 7),
      includes_open_cycle: z.boolean().meta({
        description: "True when the sum includes an open cycle, whose strain may still increase",
        example: true,
      }),
      source: family("strain"),
    }),
    ...noteOfKey,
    missing: MissingSchema,
    source: SourceSchema,
    sources: SourcesSchema,
  })
  .meta({ id: "SummaryResponse" })

export type SummaryResponse = z.infer<typeof SummaryResponseSchema>

/** The query of `GET /api/v1/sports` in its text form. The range is as for a trend. */
export const SportsQuerySchema = z.object({
  ...rangeParameters,
  sport: sportParameter.optional(),
  source: HealthQuerySchema.shape.source,
})

const workoutOf = (what: string) => ({
  date: date(`The local date of the ${what} workout`),
  id: z.string().meta({ example: "whoop-ecfc6a15-4661-442f-a9a4-f160dd7afae8" }),
})

/** All workouts of one sport in a period. */
export const SportSchema = z
  .object({
    sport_type: z.string().meta({ description: "As workouts have it", example: "running" }),
    count: count("Workouts", 41),
    hours: hours("Their durations together", 33.2).unwrap(),
    distance_meters: value("The known distances together, metres; null without any", 318_420.5),
    calories: wholeValue("The known energies together, kilocalories; null without any", 22_140),
    average_strain: value("Mean strain of the workouts that have one", 10.7),
    average_heart_rate: value("Mean of the workouts' average heart rates, beats per minute", 139.4),
    longest: z
      .object({ ...workoutOf("longest"), hours: hours("Its duration", 2.31).unwrap() })
      .meta({ description: "The longest workout, of equal ones the newest" }),
    farthest: z
      .object({ ...workoutOf("farthest"), distance_meters: z.number().meta({ example: 24_310.2 }) })
      .nullable()
      .meta({ description: "The workout with the largest distance, of equal ones the newest; null without distances" }),
    last_date: date("The local date of the newest workout"),
    next_day_recovery: z
      .object({
        n: count("Dates with a workout of the sport, and a recovery score on the next date", 38),
        mean: z.number().meta({
          description: "Mean recovery score of those next dates, in percent or points as its source gives it",
          example: 61.3,
        }),
        source: z.string().meta({ description: "The source of these scores", example: "whoop" }),
      })
      .nullable()
      .meta({ description: "Null without such a date. It is no effect of the sport alone" }),
  })
  .meta({ id: "Sport" })

/** The body of `GET /api/v1/sports`. */
export const SportsResponseSchema = z
  .object({
    period: DatesSchema,
    sports: z.array(SportSchema).meta({ description: "Most workouts first" }),
    count: count("The number of sports", 4),
    ...noteOfKey,
    source: SourceSchema.meta({ description: "The source of most workouts, and its sync state" }),
    sources: SourcesSchema,
  })
  .meta({ id: "SportsResponse" })

export type SportsQuery = z.infer<typeof SportsQuerySchema>
export type Sport = z.infer<typeof SportSchema>
export type SportsResponse = z.infer<typeof SportsResponseSchema>

/** The query of `GET /api/v1/signs` in its text form: at most 90 dates, which end today without `end_date`. */
export const SignsQuerySchema = HealthQuerySchema.pick({ days: true, end_date: true, source: true })

/** A figure of a morning that is far from what is usual for the person. It names no cause and no illness. */
export const SignSchema = z
  .object({
    metric: z.string().meta({ description: "The id of the metric", example: "resting_heart_rate" }),
    value: z.number().meta({ example: 61 }),
    unit: z.string().nullable().meta({ example: "bpm" }),
    usual: z
      .object({
        low: z.number().meta({ example: 50.2 }),
        high: z.number().meta({ example: 54.6 }),
        n: count("Values behind it", 30),
      })
      .meta({ description: "The usual range: mean minus and plus one standard deviation of the 30 values before" }),
    direction: z.enum(["above", "below"]).meta({ description: "The side of the usual range" }),
    mornings: count("Mornings in a row that deviate in this direction, this one included", 2),
  })
  .meta({ id: "Sign" })

/** The body of `GET /api/v1/signs`. */
export const SignsResponseSchema = z
  .object({
    records: z.array(z.object({ date: date("The morning"), figures: z.array(SignSchema) })).meta({
      description:
        "Newest first: mornings with a figure more than two standard deviations from the mean of the 30 values before. Others are absent",
    }),
    count: count("The number of such mornings", 1),
    ...noteOfKey,
    checked: z.array(z.string()).meta({
      description:
        "Metrics that have a value and a usual range on one of the dates. A metric that is not listed was not checked",
      example: ["resting_heart_rate", "hrv", "respiratory_rate", "skin_temp_deviation"],
    }),
    source: SourceSchema,
    sources: SourcesSchema,
  })
  .meta({ id: "SignsResponse" })

export type SignsQuery = z.infer<typeof SignsQuerySchema>
export type Sign = z.infer<typeof SignSchema>
export type SignsResponse = z.infer<typeof SignsResponseSchema>

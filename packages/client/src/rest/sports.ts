import { z } from "zod"
import { date, hours, value, wholeValue } from "./fields.ts"
import { count, DatesSchema } from "./insights.ts"
import { HealthQuerySchema, rangeParameters, sportParameter } from "./query.ts"
import { SourceSchema, SourcesSchema } from "./source.ts"

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
        mean: z.number().meta({ description: "Mean recovery score of those next dates, percent", example: 61.3 }),
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
    source: SourceSchema.meta({ description: "The source of most workouts, and its sync state" }),
    sources: SourcesSchema,
  })
  .meta({ id: "SportsResponse" })

export type SportsQuery = z.infer<typeof SportsQuerySchema>
export type Sport = z.infer<typeof SportSchema>
export type SportsResponse = z.infer<typeof SportsResponseSchema>

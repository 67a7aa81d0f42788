import { z } from "zod"
import { date } from "./fields.ts"
import { count } from "./insights.ts"
import { HealthQuerySchema } from "./query.ts"
import { SourceSchema, SourcesSchema } from "./source.ts"

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

import { z } from "zod"
import { amount, count, DatesSchema, figure, IntervalSchema, MethodSchema, sourced } from "./insight-fields.ts"

export const DIFFERENCE_VERDICTS = ["higher", "lower", "no_clear_difference", "not_enough_data"] as const
export type DifferenceVerdict = (typeof DIFFERENCE_VERDICTS)[number]

/** One of the two periods of a comparison. */
export const ComparedPeriodSchema = DatesSchema.extend({
  n: count("Dates with a value", 28),
  missing: count("Dates without a value, between the first and the last value of the metric", 0),
  mean: figure("The mean; the circular mean for clock metrics"),
  median: figure("The median"),
  sd: amount("The standard deviation", 8.3),
}).meta({ id: "ComparedPeriod" })

/** The body of `GET /api/v1/compare`. */
export const CompareResponseSchema = z
  .object({
    metric: z.string().meta({ description: "The id of the metric", example: "hrv" }),
    unit: z.string().nullable().meta({ example: "ms" }),
    period: ComparedPeriodSchema,
    with: ComparedPeriodSchema.meta({ description: "What the period is compared with" }),
    difference: amount("Mean of the period minus mean of what it is compared with", 4.21),
    interval: IntervalSchema,
    effect_size: z.number().nullable().meta({
      description: "Hedges' g: the difference in pooled standard deviations; or null",
      example: 0.51,
    }),
    verdict: z.enum(DIFFERENCE_VERDICTS).meta({
      description:
        "higher or lower: the interval of the difference leaves zero out. not_enough_data: under 5 values on a side",
    }),
    source: sourced.source,
    method: MethodSchema,
    notes: sourced.notes,
    sources: sourced.sources,
  })
  .meta({ id: "CompareResponse" })

export type ComparedPeriod = z.infer<typeof ComparedPeriodSchema>
export type CompareResponse = z.infer<typeof CompareResponseSchema>

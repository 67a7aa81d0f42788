import { z } from "zod"
import {
  amount,
  count,
  DatedFigureSchema,
  DatesSchema,
  FigureSchema,
  figure,
  IntervalSchema,
  MethodSchema,
  PAIR,
  sourced,
} from "./insight-fields.ts"

export const TREND_VERDICTS = ["rising", "falling", "no_clear_change", "not_enough_data"] as const
export type TrendVerdict = (typeof TREND_VERDICTS)[number]

const third = (which: string) =>
  z
    .object({ n: count("Values", 30), mean: figure("Their mean") })
    .meta({ description: `The ${which} third of the values` })

/** Figures that only some metrics have. */
export const MetricExtrasSchema = z
  .object({
    sleep_debt: z
      .object({
        hours: z.number().meta({ description: "Sum of sleep need minus time asleep", example: 6.42 }),
        n: count("Nights with a need", 14),
      })
      .optional()
      .meta({ description: "Metric sleep_debt: the last 14 dates of the period" }),
    load: z
      .object({
        mean_7_days: z.number().nullable().meta({ example: 11.8 }),
        n_7_days: count("Values", 7),
        mean_28_days: z.number().nullable().meta({ example: 10.9 }),
        n_28_days: count("Values", 27),
      })
      .optional()
      .meta({ description: "Metric strain: means over the last 7 and 28 dates of the period. Their ratio is no risk" }),
    social_jetlag_minutes: z.int().optional().meta({
      description:
        "Metric midsleep: the middle of sleep on Saturdays and Sundays minus that on the other days, minutes",
      example: 52,
    }),
    regularity_index: z.number().optional().meta({
      description:
        "Metrics bedtime, wake_time, midsleep and asleep: the Sleep Regularity Index, -100 to 100. 100: asleep at the same minutes every day",
      example: 81.4,
    }),
  })
  .nullable()
  .meta({
    description: "Figures that only some metrics have. Null for other metrics, and without data for them",
  })

/** The body of `GET /api/v1/trend`. Figures without values are null. */
export const TrendResponseSchema = z
  .object({
    metric: z.string().meta({ description: "The id of the metric", example: "hrv" }),
    unit: z.string().nullable().meta({ example: "ms" }),
    period: DatesSchema,
    source: sourced.source,
    method: MethodSchema,
    n: count("Dates with a value", 86),
    missing: count("Dates without a value, between the first and the last value of the metric", 4),
    mean: figure("The mean; the circular mean for clock metrics"),
    median: figure("The median"),
    sd: amount("The standard deviation", 8.3),
    p25: figure("The lower quartile"),
    p75: figure("The upper quartile"),
    highest: z.array(DatedFigureSchema).meta({ description: "The highest values first, of equal ones the newest" }),
    lowest: z.array(DatedFigureSchema).meta({ description: "The lowest values first, of equal ones the newest" }),
    latest: DatedFigureSchema.nullable().meta({ description: "The newest value of the period" }),
    usual: z
      .object({ low: FigureSchema, high: FigureSchema, n: count("Values behind it", 30) })
      .nullable()
      .meta({
        description:
          "The usual range: mean minus and plus one standard deviation of the 30 values before `latest`; null with fewer than 5",
      }),
    slope_per_30_days: amount("Theil-Sen slope per 30 days", 1.82),
    interval: IntervalSchema,
    verdict: z.enum(TREND_VERDICTS).meta({
      description:
        "rising or falling: the interval of the slope leaves zero out, and the change over the period is at least 0.2 standard deviations. " +
        "not_enough_data: under 14 values, or fewer than half of the dates have one",
    }),
    first_third: third("oldest"),
    last_third: third("newest"),
    extras: MetricExtrasSchema,
    groups: z
      .array(
        z.object({
          group: z.string().meta({ description: "2026-W47, 2026-11 or monday", example: "2026-W47" }),
          n: count("Values", 7),
          mean: FigureSchema,
          sd: amount("The standard deviation", 6.1),
        }),
      )
      .nullable()
      .meta({ description: "With `by` only: groups with values, weeks and months oldest first, weekdays from Monday" }),
    points: z
      .array(z.tuple([z.string(), FigureSchema]).meta(PAIR))
      .nullable()
      .meta({ description: "With `points=true` only: date and value, oldest first" }),
    notes: sourced.notes,
    sources: sourced.sources,
  })
  .meta({ id: "TrendResponse" })

export type MetricExtras = NonNullable<z.infer<typeof MetricExtrasSchema>>
export type TrendResponse = z.infer<typeof TrendResponseSchema>

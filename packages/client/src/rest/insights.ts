import { z } from "zod"
import { date } from "./fields.ts"
import { HrvMethodSchema, SourceSchema, SourcesSchema } from "./source.ts"

export const DIFFERENCE_VERDICTS = ["higher", "lower", "no_clear_difference", "not_enough_data"] as const
export type DifferenceVerdict = (typeof DIFFERENCE_VERDICTS)[number]

/** A value, a mean or a quantile: a number, or for clock metrics a local time as in "23:41". */
export const FigureSchema = z.union([z.number(), z.string()]).meta({
  id: "Figure",
  description: 'A number in the unit of the metric; a local time of day as in "23:41" for clock metrics',
  example: 64.2,
})
export type Figure = z.infer<typeof FigureSchema>

/** A figure that may be unknown. */
export const figure = (description: string) => FigureSchema.nullable().meta({ description: `${description}; or null` })

/** A figure that is a number also for clock metrics, which have it in minutes. */
export const amount = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; minutes for clock metrics; or null`, example })

export const count = (description: string, example: number) => z.int().meta({ description, example })

/** JSON Schema of a tuple of two. Without `items` many tools refuse an array. */
const PAIR = { items: {}, minItems: 2, maxItems: 2 }

/** Lower and upper limit of a 95 % interval. */
export const IntervalSchema = z
  .tuple([z.number(), z.number()])
  .meta(PAIR)
  .nullable()
  .meta({ description: "Lower and upper limit, 95 %; null where nothing can be claimed", example: [0.42, 3.18] })

const DatedFigureSchema = z.object({ date: date("The local date"), value: FigureSchema })
export type DatedFigure = z.infer<typeof DatedFigureSchema>

/** The local dates of a question, both inclusive. */
export const DatesSchema = z.object({
  start_date: date("The first date"),
  end_date: date("The last date"),
  days: count("The number of dates", 90),
})

/** What every statistical answer says about its data. */
export const sourced = {
  source: SourceSchema.meta({ description: "The source of the values, and its sync state" }),
  notes: z.array(z.string()).meta({
    description:
      "Plain sentences about what is left out and why: figures that are still pending, an open cycle, values before a change of source",
    example: ["Recovery for 2026-11-20 is not scored yet, so it is left out."],
  }),
  sources: SourcesSchema,
}

/** How the source measures the metric. Only HRV has different methods. */
const MethodSchema = HrvMethodSchema.meta({
  description: "How the source computes HRV. Values of different methods are never mixed. Null for other metrics",
  example: "rmssd",
})

export const TREND_VERDICTS = ["rising", "falling", "no_clear_change", "not_enough_data"] as const
export type TrendVerdict = (typeof TREND_VERDICTS)[number]

const beyondLimit = (side: string) =>
  z
    .object({
      limit: FigureSchema.meta({ description: "As it was asked for" }),
      n: count("Dates", 12),
      dates: z.array(date("A date")).meta({ description: "At most 366, newest first" }),
    })
    .nullable()
    .meta({ description: `With \`${side}\` only: the dates with a value ${side} it, before rounding` })

const StreakSchema = z
  .object({ n: count("Dates", 5), start: date("The first date"), end: date("The last date") })
  .nullable()
  .meta({
    description:
      "`longest`: of equal ones the newest. `current`: the one that reaches to the last date of the period, or to the one before while that has " +
      "no value. Null without any",
  })

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
      description: "Metric midsleep: the sleep midpoint on days off minus that on the other days, minutes",
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
    sum: z.number().nullable().meta({
      description: "The sum of hours, calories, distances, steps and counts, and the dates with a yes; or null",
      example: 41.5,
    }),
    above: beyondLimit("above"),
    below: beyondLimit("below"),
    streaks: z.object({ longest: StreakSchema, current: StreakSchema }).nullable().meta({
      description:
        "With `above` or `below` only: dates in a row beyond the limit, or beyond both. A date without a value ends them",
    }),
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
          "The usual range: mean minus and plus one standard deviation of the 30 values before `latest`, within what is possible; null with " +
          "fewer than 5, and for yes or no",
      }),
    slope_per_30_days: amount(
      "Theil-Sen slope per 30 days, or that of least squares where equal values make it 0; null without enough data",
      1.82,
    ),
    interval: IntervalSchema,
    verdict: z.enum(TREND_VERDICTS).meta({
      description:
        "rising or falling: the interval of the slope leaves zero out, and the change over the period is at least 0.2 standard deviations. " +
        "not_enough_data: under 14 values, or fewer than half of the dates have one (of weight and body fat: weeks in place of both)",
    }),
    first_third: third("oldest"),
    last_third: third("newest"),
    extras: MetricExtrasSchema,
    groups: z
      .array(
        z.object({
          group: z.string().meta({
            description:
              "2026-W47, 2026-11, monday; weekend, which are the days off of the preferences, or working_day",
            example: "2026-W47",
          }),
          n: count("Values", 7),
          sum: z
            .number()
            .optional()
            .meta({ description: "Of metrics with a sum, as hours, distances and counts", example: 5 }),
          mean: FigureSchema,
          sd: amount("The standard deviation", 6.1),
          difference: amount(
            "With `by=weekday` and `by=weekend` only: mean of the group minus mean of the other days",
            0.31,
          ).optional(),
          interval: IntervalSchema.optional(),
          verdict: z.enum(DIFFERENCE_VERDICTS).optional().meta({
            description:
              "With `by=weekday` and `by=weekend` only. The verdicts together keep a false discovery rate of 10 %",
          }),
        }),
      )
      .nullable()
      .meta({ description: "With `by` only: groups with values, weeks and months oldest first, weekdays from Monday" }),
    weekday_of: z.literal("waking").nullable().meta({
      description:
        "`waking` for weekdays and weekends of a metric about a night: monday is the night from Sunday to Monday. Else null",
    }),
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
        "higher or lower: the interval of the difference leaves zero out. not_enough_data: under 5 values on a side, or " +
        "`comparable` is false",
    }),
    comparable: z.boolean().meta({
      description:
        "False for two sources that measure on different scales, as vendors' own scores, or compute HRV by different methods: they have " +
        "no difference, however many values there are. `notes` says why",
      example: true,
    }),
    source: sourced.source,
    method: MethodSchema,
    notes: sourced.notes,
    sources: sourced.sources,
  })
  .meta({ id: "CompareResponse" })

export type ComparedPeriod = z.infer<typeof ComparedPeriodSchema>
export type CompareResponse = z.infer<typeof CompareResponseSchema>

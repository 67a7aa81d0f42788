import { z } from "zod"
import { SourceSchema, SourcesSchema } from "./source.ts"

/** Every metric, in the order of the catalogue. A factor of the journal is named `journal:<factor>` beside them. */
export const METRIC_IDS = [
  "recovery_score",
  "hrv",
  "resting_heart_rate",
  "respiratory_rate",
  "spo2",
  "skin_temp_deviation",
  "asleep",
  "in_bed",
  "deep",
  "rem",
  "light",
  "awake",
  "times_awake",
  "sleep_efficiency",
  "sleep_performance",
  "sleep_consistency",
  "sleep_need",
  "sleep_debt",
  "night_heart_rate",
  "lowest_heart_rate",
  "lowest_heart_rate_time",
  "bedtime",
  "wake_time",
  "midsleep",
  "away",
  "nap",
  "strain",
  "calories",
  "steps",
  "floors",
  "exercise_minutes",
  "stress",
  "walking_heart_rate",
  "workout_count",
  "workout",
  "distance",
  "zone_1_hours",
  "zone_2_hours",
  "zone_3_hours",
  "zone_4_hours",
  "zone_5_hours",
  "workout_max_heart_rate",
  "first_workout_start",
  "last_workout_end",
  "weight",
  "body_fat",
] as const
export type MetricId = (typeof METRIC_IDS)[number]

/** What journals are most often about. A person may have any other factor, too. */
export const COMMON_FACTORS = [
  "alcohol",
  "caffeine",
  "late_meal",
  "nicotine",
  "screen_in_bed",
  "read_in_bed",
  "shared_bed",
  "sick",
  "stress",
  "hydration",
  "meditation",
  "melatonin",
  "magnesium",
  "sauna",
  "travel",
] as const

/** number: on a line. clock: a local time of day, as in "23:41". yes_no: an answer of the journal, 1 or 0. */
export const METRIC_KINDS = ["number", "clock", "yes_no"] as const
export type MetricKind = (typeof METRIC_KINDS)[number]

const optionalDate = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}, YYYY-MM-DD; null without a value`, example: "2026-11-19" })

/** One metric of the catalogue, and what the person has of it. */
export const MetricSchema = z
  .object({
    id: z.string().meta({ description: "As the parameter `metric` takes it; `journal:<factor>` for a journal factor" }),
    title: z.string().meta({ example: "Heart rate variability" }),
    unit: z.string().nullable().meta({
      description: "Null for clock times, counts, strain, and yes or no",
      example: "ms",
    }),
    better: z.enum(["higher", "lower", "neither"]).meta({ description: "Which way is usually wanted" }),
    decimals: z.int().meta({ description: "Decimals of values and means", example: 1 }),
    kind: z.enum(METRIC_KINDS).meta({
      description: 'number, clock (a local time of day, as in "23:41"), or yes_no (an answer of the journal, 1 or 0)',
      example: "number",
    }),
    sources: z.array(z.string()).meta({ description: "The sources that have values of it", example: ["whoop"] }),
    first_date: optionalDate("The oldest date with a value"),
    last_date: optionalDate("The newest date with a value"),
    n: z.int().meta({ description: "Dates with a value", example: 365 }),
  })
  .meta({ id: "Metric" })

/** The body of `GET /api/v1/metrics`. */
export const MetricsResponseSchema = z
  .object({
    metrics: z.array(MetricSchema),
    count: z.int().meta({ description: "The number of metrics", example: 28 }),
    source: SourceSchema,
    sources: SourcesSchema,
  })
  .meta({ id: "MetricsResponse" })

export type Metric = z.infer<typeof MetricSchema>
export type MetricsResponse = z.infer<typeof MetricsResponseSchema>

import { z } from "zod"
import { METRIC_IDS } from "./metric.ts"
import { DAYS, dateParameter, HealthQuerySchema } from "./query.ts"

/** Bounds of `days` for the statistics, which read any length of history at once. */
export const INSIGHT_DAYS = { min: 1, max: 4_000, default: DAYS.default, relateDefault: 180 } as const

/** How many of the highest and lowest values a trend lists. */
export const TOP = { min: 1, max: 20, default: 3 } as const

/** What the values of a trend are grouped by. */
export const GROUPINGS = ["week", "month", "weekday"] as const
export type Grouping = (typeof GROUPINGS)[number]

const JOURNAL_FACTOR = /^journal:[^\p{C}]{1,200}$/u
const isMetricId = (text: string): boolean => METRIC_IDS.some((id) => id === text)

const OUTCOME_RULE = `must be one of ${METRIC_IDS.join(", ")}`
const METRIC_RULE = `${OUTCOME_RULE}, or journal:<factor>`

/** A metric, or a factor of the journal. */
const metricOrFactor = (description: string) =>
  z
    .string({ error: METRIC_RULE })
    .refine((text) => isMetricId(text) || JOURNAL_FACTOR.test(text), { error: METRIC_RULE })
    .meta({ description, example: "hrv" })

/** A whole number in the text form of a query string. */
function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^[1-9]\d{0,3}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
}

const range = {
  days: wholeNumber(INSIGHT_DAYS).optional(),
  start_date: dateParameter("First local date, inclusive. Without `end_date`, the range ends today").optional(),
  end_date: dateParameter(
    "Last local date, inclusive. Without `start_date`, the range is the `days` dates up to it",
  ).optional(),
}
const { source } = HealthQuerySchema.shape
const metric = metricOrFactor("A metric of /api/v1/metrics")

/** The query of `GET /api/v1/metrics` in its text form. */
export const MetricsQuerySchema = z.object({ source })

/** The query of `GET /api/v1/trend` in its text form. The range is as for the health data, of any length. */
export const TrendQuerySchema = z.object({
  metric,
  ...range,
  source,
  by: z.enum(GROUPINGS, { error: `must be one of ${GROUPINGS.join(", ")}` }).optional(),
  points: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .optional(),
  top: wholeNumber(TOP).optional(),
})

/**
 * The query of `GET /api/v1/compare` in its text form. The period is as for the health data. Without `with_start_date` and
 * `with_end_date` it is compared with as many dates before it.
 */
export const CompareQuerySchema = z.object({
  metric,
  ...range,
  with_start_date: dateParameter("First local date of what the period is compared with, inclusive").optional(),
  with_end_date: dateParameter("Last local date of what the period is compared with, inclusive").optional(),
  source,
})

/** The query of `GET /api/v1/relate` in its text form. Without a factor, all are tried. */
export const RelateQuerySchema = z.object({
  outcome: z
    .enum(METRIC_IDS, { error: OUTCOME_RULE })
    .meta({ description: "The metric that may go with the factor", example: "hrv" }),
  factor: metricOrFactor("A metric, or `journal:<factor>`. Left out: all are tried").optional(),
  lag: z
    .enum(["0", "1"], { error: "must be 0 or 1" })
    .transform((text) => (text === "1" ? 1 : 0))
    .optional(),
  ...range,
  source,
})

export type MetricsQuery = z.infer<typeof MetricsQuerySchema>
export type TrendQuery = z.infer<typeof TrendQuerySchema>
export type CompareQuery = z.infer<typeof CompareQuerySchema>
export type RelateQuery = z.infer<typeof RelateQuerySchema>

import { z } from "zod"
import { COMMON_FACTORS, METRIC_IDS } from "./metric.ts"
import { PROVIDERS } from "./source.ts"
import { editDistance, nearestBy } from "./suggest.ts"

/** The values of `type`. */
export const HEALTH_TYPES = ["summary", "sleep", "recovery", "workout", "cycle", "profile"] as const

/** Bounds and default of `days`. */
export const DAYS = { min: 1, max: 90, default: 7 } as const

/** A date outside these bounds is a typing error. */
export const DATE_BOUNDS = { min: "1900-01-01", max: "2200-12-31" } as const

const isCalendarDate = (text: string): boolean => {
  const milliseconds = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text)
}

/** A date of the calendar, YYYY-MM-DD. */
export const dateParameter = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "must be a date written YYYY-MM-DD, like 2026-11-19", abort: true })
    .refine(isCalendarDate, { error: "is not a day of the calendar", abort: true })
    .refine((text) => text >= DATE_BOUNDS.min && text <= DATE_BOUNDS.max, {
      error: `must lie between ${DATE_BOUNDS.min} and ${DATE_BOUNDS.max}`,
    })
    .meta({ description, format: "date", example: "2026-11-19" })

/** A whole number from 1 to 90, in the text form of a query string. */
const daysParameter = z
  .string()
  .regex(/^[1-9]\d?$/, { error: `must be a whole number from ${DAYS.min} to ${DAYS.max}`, abort: true })
  .transform(Number)
  .refine((days) => days <= DAYS.max, { error: `must be a whole number from ${DAYS.min} to ${DAYS.max}` })

/** Values of `source`. */
export const SOURCE_VALUES = [...PROVIDERS, "all"] as const
export type SourceValue = (typeof SOURCE_VALUES)[number]

const sourceParameter = z.enum(SOURCE_VALUES, { error: `must be one of ${SOURCE_VALUES.join(", ")}` }).meta({
  description:
    "Read one source alone, or with `all` every source's records, each with `chosen`. Without it, one source answers for each date. " +
    "A summary and a profile are the same with `all` and without it",
  example: "whoop",
})

/** A sport, as `sport_type` of workouts has it. */
const SPORT = /^[^\p{C}]{1,100}$/u

export const sportParameter = z
  .string()
  .regex(SPORT, { error: "must be a sport as workouts have it, like running" })
  .meta({ description: "Only workouts of this sport, as `sport_type` has it", example: "running" })

/** Formats of answers that are lists. */
export const FORMATS = ["json", "csv"] as const

export const formatParameter = z.enum(FORMATS, { error: `must be one of ${FORMATS.join(", ")}` }).meta({
  description: "The format of a list. Without it, the header `Accept: text/csv` asks for CSV",
  example: "csv",
})

const fieldsParameter = z
  .string()
  .regex(/^[a-z0-9_]+(?:,[a-z0-9_]+)*$/, {
    error: "must be names of fields with commas between them, like date,asleep_hours",
    abort: true,
  })
  .transform((text) => [...new Set(text.split(","))])

/**
 * The query of `GET /api/v1/health` in its text form: the only definition of parameters, bounds and defaults.
 * Dates win over `days`. The length and order of the range are checked later, where "today" is known.
 */
export const HealthQuerySchema = z.object({
  type: z
    .enum(HEALTH_TYPES, { error: `must be one of ${HEALTH_TYPES.join(", ")}` })
    .default("summary")
    .meta({ description: "What to read", example: "sleep" }),
  days: daysParameter.optional(),
  start_date: dateParameter("First local date, inclusive. Without `end_date`, the range ends today").optional(),
  end_date: dateParameter(
    "Last local date, inclusive. Without `start_date`, the range is the `days` dates up to it",
  ).optional(),
  source: sourceParameter.optional(),
  sport: sportParameter
    .meta({ description: "With `type=workout`: only this sport, as `sport_type` has it" })
    .optional(),
  format: formatParameter.optional(),
  fields: fieldsParameter.optional().meta({
    description:
      "Only these fields of each record, in this order, with commas between them. A nested field has its column's name in CSV: " +
      "`score_performance`. The name of the outer field, `score`, stands for all of them",
    example: "date,asleep_hours,score_performance",
  }),
})

export type HealthType = (typeof HEALTH_TYPES)[number]
export type HealthQuery = z.infer<typeof HealthQuerySchema>

/** Bounds of `days` for the statistics, which read any length of history at once. */
export const INSIGHT_DAYS = {
  min: 1,
  max: 4_000,
  default: DAYS.default,
  trendDefault: 30,
  relateDefault: 180,
  sportsDefault: 365,
  /** Of a comparison of two sources. */
  sourcesDefault: 90,
} as const

/** How many of the highest and lowest values a trend lists. */
export const TOP = { min: 1, max: 100, default: 3 } as const

/** What the values of a trend are grouped by. */
export const GROUPINGS = ["week", "month", "weekday", "weekend"] as const
export type Grouping = (typeof GROUPINGS)[number]

const JOURNAL_FACTOR = /^journal:[^\p{C}]{1,200}$/u
const isMetricId = (text: string): boolean => METRIC_IDS.some((id) => id === text)

/** The id of a metric in any spelling of its words, as HRV or "Resting heart rate". Other text stays as it is. */
const asMetricId = (text: string): string => {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
  return isMetricId(plain) ? plain : text
}

const OUTCOME_RULE = `must be one of ${METRIC_IDS.join(", ")}`
const METRIC_RULE = `${OUTCOME_RULE}, or journal:<factor>`
const WORKOUT_FACTOR = /^workout:[^\p{C}]{1,100}$/u
const FACTOR_RULE = `${OUTCOME_RULE}, journal:<factor> or workout:<sport>`

/** Names that a name may be a misspelling of: every metric, and what journals are most often about. */
const NAMES = [...METRIC_IDS, ...COMMON_FACTORS.map((factor) => `journal:${factor}`)]
/** A name that takes a larger part of edits is not a misspelling. */
const MOST_EDITS = 0.4
/** Two letters that changed places, as in hvr, are two edits. */
const FEWEST_EDITS = 2
/** Characters. What follows them in an unknown name is not compared. */
const LONGEST_NAME = 60

/** What people call metrics. The spelling of another name may be nearer: rhr is two edits from hrv. */
const EVERYDAY_NAMES: Readonly<Record<string, (typeof METRIC_IDS)[number]>> = {
  blood_oxygen: "spo2",
  breathing_rate: "respiratory_rate",
  deep_sleep: "deep",
  energy: "calories",
  heart_rate: "resting_heart_rate",
  heart_rate_variability: "hrv",
  light_sleep: "light",
  oxygen: "spo2",
  readiness: "recovery_score",
  recovery: "recovery_score",
  rem_sleep: "rem",
  resting_hr: "resting_heart_rate",
  rhr: "resting_heart_rate",
  skin_temperature: "skin_temp_deviation",
  sleep: "asleep",
  sleep_duration: "asleep",
  sleep_hours: "asleep",
  sleep_score: "sleep_performance",
  sleep_time: "asleep",
  temperature: "skin_temp_deviation",
  wakeup: "wake_time",
}

/** Returns the known name that an unknown one most likely stands for, as in hrv for hvr. Undefined without one. */
export function nearestMetric(name: string, known: readonly string[] = NAMES): string | undefined {
  const plain = name
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replaceAll(/[^a-z0-9:]+/g, "_")
  const everyday = EVERYDAY_NAMES[plain]
  if (everyday !== undefined && known.includes(everyday)) return everyday
  const wordsOf = (id: string): string => id.slice(id.indexOf(":") + 1)
  // People leave out the prefix: alcohol is journal:alcohol.
  return nearestBy(plain, known, (id) => {
    const words = wordsOf(id)
    const most = Math.max(FEWEST_EDITS, MOST_EDITS * words.length)
    const ofWords = editDistance(wordsOf(plain), words, most) + (plain.includes(":") ? 0 : 0.5)
    const distance = Math.min(editDistance(plain, id, most), ofWords)
    return distance <= most ? distance : Number.POSITIVE_INFINITY
  })
}

/** What an unknown name is answered with, the nearest one first. */
const ruleWithNearest = (rule: string, known: readonly string[]) => ({
  error: ({ input }: { readonly input?: unknown }): string => {
    const nearest = typeof input === "string" ? nearestMetric(input, known) : undefined
    return nearest === undefined ? rule : `is unknown, did you mean ${nearest}? It ${rule}`
  },
})

/** What may go with an outcome: a metric, a factor of the journal, or a workout of one sport. */
const factor = z
  .string({ error: FACTOR_RULE })
  .overwrite(asMetricId)
  .refine(
    (text) => isMetricId(text) || JOURNAL_FACTOR.test(text) || WORKOUT_FACTOR.test(text),
    ruleWithNearest(FACTOR_RULE, NAMES),
  )
  .meta({
    description:
      "A metric, `journal:<factor>`, or `workout:<sport>` for a workout of that sport on the date. Left out: all are tried",
    example: "workout:running",
  })

/** A metric, or a factor of the journal. */
const metricOrFactor = (description: string) =>
  z
    .string({ error: METRIC_RULE })
    .overwrite(asMetricId)
    .refine((text) => isMetricId(text) || JOURNAL_FACTOR.test(text), ruleWithNearest(METRIC_RULE, NAMES))
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

const LIMIT_RULE = "must be a number like 7.5, or for clock metrics a time like 23:30"

/**
 * A number in the unit of the metric, or a local time of day for clock metrics. Computed numbers have up to 17 digits, and languages write
 * them without an exponent down to 0.000001. @see ECMA-262, Number::toString
 */
const limit = (description: string) =>
  z
    .string({ error: LIMIT_RULE })
    .regex(/^(?:-?\d{1,9}(?:\.\d{1,22})?|(?:[01]\d|2[0-3]):[0-5]\d)$/, { error: LIMIT_RULE })
    .meta({ description, example: "7.5" })

/** A range of any length, ending today without other dates. */
export const rangeParameters = {
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
  ...rangeParameters,
  source,
  by: z.enum(GROUPINGS, { error: `must be one of ${GROUPINGS.join(", ")}` }).optional(),
  points: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .optional(),
  top: wholeNumber(TOP).optional(),
  above: limit(
    "Count the dates with a value above it, and list them. In the unit of the metric: metres, kilograms, degrees Celsius",
  ).optional(),
  below: limit(
    "Count the dates with a value below it, and list them. In the unit of the metric: metres, kilograms, degrees Celsius",
  ).optional(),
  sport: sportParameter
    .meta({ description: "With a metric of workouts: only workouts of this sport, as `sport_type` has it" })
    .optional(),
  format: formatParameter
    .meta({ description: "`csv`: the points alone, as CSV. Without it, the header `Accept: text/csv` asks for CSV" })
    .optional(),
})

/**
 * The query of `GET /api/v1/compare` in its text form. The period is as for the health data. Without `with_start_date` and
 * `with_end_date` it is compared with as many dates before it. With `with_source` two sources are compared on the same dates.
 */
export const CompareQuerySchema = z.object({
  metric,
  ...rangeParameters,
  with_start_date: dateParameter("First local date of what the period is compared with, inclusive").optional(),
  with_end_date: dateParameter("Last local date of what the period is compared with, inclusive").optional(),
  source,
  with_source: z
    .enum(PROVIDERS, { error: `must be one of ${PROVIDERS.join(", ")}` })
    .meta({
      description:
        "Compare `source` with this source, date by date, on the dates of the period that both have. Without dates, these are the last 90",
      example: "oura",
    })
    .optional(),
})

/** What `lag` means, for every program that sends it. */
export const LAG_TEXT =
  "0: same date. 1: the factor of the day before; use it for strain, workouts and naps. Journal answers and nights already belong to the " +
  "morning after: 0."

/** The query of `GET /api/v1/relate` in its text form. Without a factor, all are tried. */
export const RelateQuerySchema = z.object({
  outcome: z
    .string({ error: OUTCOME_RULE })
    .overwrite(asMetricId)
    .pipe(z.enum(METRIC_IDS, ruleWithNearest(OUTCOME_RULE, METRIC_IDS)))
    .meta({ description: "The metric that may go with the factor", enum: [...METRIC_IDS], example: "hrv" }),
  factor: factor.optional(),
  lag: z
    .enum(["0", "1"], { error: "must be 0 or 1" })
    .transform((text) => (text === "1" ? 1 : 0))
    .meta({ description: LAG_TEXT })
    .optional(),
  ...rangeParameters,
  source,
})

export type MetricsQuery = z.infer<typeof MetricsQuerySchema>
export type TrendQuery = z.infer<typeof TrendQuerySchema>
export type CompareQuery = z.infer<typeof CompareQuerySchema>
export type RelateQuery = z.infer<typeof RelateQuerySchema>

import { z } from "zod"
import { INSTANT_FORMS } from "./fields.ts"
import { count } from "./insights.ts"
import { DATE_BOUNDS, formatParameter, HealthQuerySchema, rangeParameters } from "./query.ts"
import { HrvMethodSchema, SERIES_EMPTY_REASONS, SourceSchema, SourcesSchema } from "./source.ts"

/** Kinds of values within the day, and of values that come now and then, each with its unit. */
export const SERIES_UNITS = {
  /** Beats a minute. */
  heart_rate: "bpm",
  hrv: "ms",
  spo2: "%",
  /** Breaths a minute. */
  respiratory_rate: "/min",
  skin_temperature: "C",
  steps: "count",
  /** Energy burned beyond rest. */
  active_energy: "kcal",
  distance: "m",
  /** Floors climbed. */
  floors: "count",
  /** Minutes of at least brisk movement. */
  exercise_minutes: "min",
  /** Each value is a stage that lasts for a time. */
  sleep_stages: "stage",
  weight: "kg",
  body_fat: "%",
  blood_pressure_systolic: "mmHg",
  blood_pressure_diastolic: "mmHg",
  vo2max: "ml/kg/min",
  /** The vendor's own score of stress, 0 to 100. */
  stress: "points",
  /** Beats a minute, of walking alone. */
  walking_heart_rate: "bpm",
} as const
export type SeriesType = keyof typeof SERIES_UNITS

export const SERIES_TYPES = [
  "heart_rate",
  "hrv",
  "spo2",
  "respiratory_rate",
  "skin_temperature",
  "steps",
  "active_energy",
  "distance",
  "floors",
  "exercise_minutes",
  "sleep_stages",
  "weight",
  "body_fat",
  "blood_pressure_systolic",
  "blood_pressure_diastolic",
  "vo2max",
  "stress",
  "walking_heart_rate",
] as const satisfies readonly SeriesType[]

/** Stages of sleep, as devices report them. `asleep` is sleep without a known stage. */
export const SLEEP_STAGES = ["awake", "light", "deep", "rem", "asleep", "in_bed"] as const
export type SleepStage = (typeof SLEEP_STAGES)[number]

/** Lengths of buckets. `raw` is every value as the source has it. */
export const RESOLUTIONS = ["raw", "1m", "5m", "15m", "1h", "1d"] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** Most points of an answer, and of one whose resolution was left out. */
export const SERIES_POINTS = { most: 20_000, byDefault: 2_000 } as const

/** Types that are measured now and then. They come from all sources. */
export const BODY_TYPES: readonly string[] = [
  "weight",
  "body_fat",
  "blood_pressure_systolic",
  "blood_pressure_diastolic",
  "vo2max",
]

/** Types whose values add up. */
export const SUM_TYPES: readonly string[] = ["steps", "active_energy", "distance", "floors", "exercise_minutes"]

/** Default of `days`, and of types that are measured now and then. */
export const SERIES_DAYS = { default: 1, ofBody: 90 } as const

const INSTANT_RULE = "must be an instant with an offset or Z, like 2026-11-20T08:00:00Z or 2026-11-20T09:00:00%2B01:00"

/** An instant in the text form of a query string, where a plus sign that was not escaped is a space. */
const instantParameter = (description: string) =>
  z
    .string()
    .transform((text) => text.replace(/ (\d{2}:\d{2})$/, "+$1"))
    .pipe(z.union(INSTANT_FORMS, { error: INSTANT_RULE }))
    .refine((text) => text.slice(0, 10) >= DATE_BOUNDS.min && text.slice(0, 10) <= DATE_BOUNDS.max, {
      error: `must lie between ${DATE_BOUNDS.min} and ${DATE_BOUNDS.max}`,
    })
    .meta({ description, format: "date-time", example: "2026-11-20T08:00:00Z" })

/** The query of `GET /api/v1/series` in its text form: two instants, or local dates as for a trend. */
export const SeriesQuerySchema = z.object({
  type: z
    .enum(SERIES_TYPES, { error: `must be one of ${SERIES_TYPES.join(", ")}` })
    .meta({ description: "What to read", example: "heart_rate" }),
  start: instantParameter("First instant, with `end` and without dates").optional(),
  end: instantParameter("The instant after the last one").optional(),
  ...rangeParameters,
  resolution: z
    .enum(RESOLUTIONS, { error: `must be one of ${RESOLUTIONS.join(", ")}` })
    .meta({
      description: `The length of buckets. Without it, the finest one with at most ${SERIES_POINTS.byDefault} points`,
      example: "5m",
    })
    .optional(),
  source: HealthQuerySchema.shape.source.meta({
    description: "Read one source alone. Without it, one source answers for each date, by the person's order",
  }),
  format: formatParameter.optional(),
})
export type SeriesQuery = z.infer<typeof SeriesQuerySchema>

const pointSource = z
  .string()
  .optional()
  .meta({ description: "Of types that come from all sources, as weight: the source of the value", example: "withings" })

/** A value as its source has it. */
export const SeriesValueSchema = z
  .object({
    time: z.string().meta({
      description: "When it was measured, or when the time that it is for begins, UTC",
      format: "date-time",
      example: "2026-11-20T02:10:00.000Z",
    }),
    value: z.number().meta({ description: "In the unit of the answer", example: 52 }),
    duration_seconds: z
      .number()
      .optional()
      .meta({ description: "How long the value is for. Absent for a moment", example: 300 }),
    source: pointSource,
  })
  .meta({ id: "SeriesValue" })

const bucket = {
  start: z
    .string()
    .meta({ description: "When the bucket begins, UTC", format: "date-time", example: "2026-11-20T02:00:00.000Z" }),
  date: z
    .string()
    .optional()
    .meta({ description: "With `1d` only: the local date", format: "date", example: "2026-11-20" }),
  n: count("Values that are wholly or in part in the bucket; moments that were measured in it", 12),
}

/** The values of a bucket. */
export const SeriesRateSchema = z
  .object({
    ...bucket,
    mean: z.number().meta({
      description:
        "Mean over time of rates: a value stands for its duration, or until the next one of its source, at most 5 minutes, and is divided where " +
        "buckets end. Of body types the mean of the values",
      example: 52.4,
    }),
    min: z.number().meta({ example: 49 }),
    max: z.number().meta({ example: 58 }),
  })
  .meta({ id: "SeriesRate" })

/** The sum of a bucket, of what is counted. */
export const SeriesSumSchema = z
  .object({
    ...bucket,
    sum: z.number().meta({ description: "A value that lasts beyond the bucket is divided by time", example: 412 }),
  })
  .meta({ id: "SeriesSum" })

export const SleepSegmentSchema = z
  .object({
    start: z.string().meta({ description: "UTC", format: "date-time", example: "2026-11-19T22:31:00.000Z" }),
    end: z.string().meta({ description: "UTC", format: "date-time", example: "2026-11-19T22:46:00.000Z" }),
    stage: z.enum(SLEEP_STAGES).meta({ description: "`asleep` is sleep without a known stage", example: "light" }),
  })
  .meta({ id: "SleepSegment" })

const envelope = {
  unit: z.string().meta({ example: "bpm" }),
  resolution: z.enum(RESOLUTIONS).meta({ description: "The length of the buckets", example: "5m" }),
  method: HrvMethodSchema,
  start: z.string().meta({ description: "UTC", format: "date-time", example: "2026-11-19T23:00:00.000Z" }),
  end: z.string().meta({ description: "UTC, exclusive", format: "date-time", example: "2026-11-20T23:00:00.000Z" }),
  count: count("The number of points or segments", 1),
  empty_reason: z.enum(SERIES_EMPTY_REASONS).nullable().meta({
    description:
      "Why there are no points; null where there are. not_delivered: no source of the answer delivers this type. The others as for records",
    example: null,
  }),
  notes: z.array(z.string()).meta({ description: "Plain sentences about what is left out, and why", example: [] }),
  source: SourceSchema.meta({ description: "The source of most dates, and its sync state" }),
  sources: SourcesSchema,
}

/** The body of `GET /api/v1/series`, of every type but `sleep_stages`. */
export const PointSeriesSchema = z
  .object({
    type: z.enum(SERIES_TYPES).exclude(["sleep_stages"]).meta({ example: "heart_rate" }),
    ...envelope,
    points: z
      .union([z.array(SeriesValueSchema), z.array(SeriesRateSchema), z.array(SeriesSumSchema)])
      .meta({ description: "Oldest first. Values with `raw`, else buckets. Buckets without a value are absent" }),
  })
  .meta({ id: "PointSeries" })

/** The body of `type=sleep_stages`. */
export const StageSeriesSchema = z
  .object({
    type: z.literal("sleep_stages"),
    ...envelope,
    segments: z.array(SleepSegmentSchema).meta({ description: "Oldest first" }),
  })
  .meta({ id: "StageSeries" })

export const SeriesResponseSchema = z
  .union([PointSeriesSchema, StageSeriesSchema])
  .meta({ id: "SeriesResponse", description: "By `type`" })

export type SeriesValue = z.infer<typeof SeriesValueSchema>
export type SeriesRate = z.infer<typeof SeriesRateSchema>
export type SeriesSum = z.infer<typeof SeriesSumSchema>
export type SleepSegment = z.infer<typeof SleepSegmentSchema>
export type PointSeries = z.infer<typeof PointSeriesSchema>
export type StageSeries = z.infer<typeof StageSeriesSchema>
export type SeriesResponse = PointSeries | StageSeries

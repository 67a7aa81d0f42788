import { z } from "zod"
import { CompareResponseSchema, FigureSchema, TrendResponseSchema } from "../rest/insights.ts"
import { MetricSchema } from "../rest/metric.ts"
import { RelateResponseSchema } from "../rest/relate.ts"
import { SLEEP_STAGES } from "../rest/series.ts"
import { HrvMethodSchema, ScoreStateSchema } from "../rest/source.ts"
import { CourseSchema } from "../rest/trends.ts"
import { CLOCKS, FIRST_WEEKDAYS, UNITS } from "./preferences.ts"

/** The key in `_meta` of a tool's result. The assistant never reads `_meta`, only the view that draws the chart. */
export const CHART_KEY = "restwell/chart"

export const ChartedMetricSchema = MetricSchema.pick({
  id: true,
  title: true,
  unit: true,
  decimals: true,
  kind: true,
}).extend({
  /** How its clock times are written. 24h if left out. */
  clock: z.enum(CLOCKS).optional(),
  /** The units that its figures are written in. Left out where the figures are in the metric's own unit. */
  units: z.enum(UNITS).optional(),
})

const hours = z.number().nullable()

const clockTime = z.string().regex(/^\d{2}:\d{2}$/)

/** The main sleep of a date. Minutes are after the local midnight at the start of the date, on the clock of waking. */
const ChartedNightSchema = z.object({
  score_state: ScoreStateSchema,
  source: z.string(),
  start_minutes: z.int(),
  end_minutes: z.int(),
  /** Clock times as in 23:41, each as clocks showed it then. */
  start_time: clockTime,
  end_time: clockTime,
  duration_hours: z.number(),
  asleep_hours: hours,
  need_hours: hours,
  performance: z.number().nullable(),
  deep_hours: hours,
  rem_hours: hours,
  light_hours: hours,
  awake_hours: hours,
  course: CourseSchema,
})

const PointsSchema = z.array(z.tuple([z.string(), FigureSchema]))

/** A local date, a date and a clock time as in 2026-11-20T23:41, or an instant with Z. The 25th hour of a date is T24:00. */
const SeriesTimeSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}Z?)?$/)

/** The address of the same figures in the dashboard. */
const url = z.url({ protocol: /^https?$/ })

/** What a view draws. Answers are those of the REST API. */
export const ChartSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("trend"),
    url,
    metric: ChartedMetricSchema,
    first_weekday: z.enum(FIRST_WEEKDAYS).optional(),
    answer: TrendResponseSchema,
  }),
  z.object({
    kind: z.literal("comparison"),
    url,
    metric: ChartedMetricSchema,
    answer: CompareResponseSchema,
    /** The values of both periods. Null where they were not read. */
    points: z.object({ period: PointsSchema, with: PointsSchema }).nullable(),
  }),
  z.object({
    kind: z.literal("relation"),
    url,
    outcome: ChartedMetricSchema,
    factors: z.array(ChartedMetricSchema),
    answer: RelateResponseSchema,
  }),
  z.object({
    kind: z.literal("night"),
    url,
    date: z.string(),
    clock: z.enum(CLOCKS).optional(),
    night: ChartedNightSchema.nullable(),
    /** Why there is no night, in a sentence. Left out where it may still come. */
    reason: z.string().optional(),
  }),
  z.object({
    kind: z.literal("series"),
    url,
    metric: ChartedMetricSchema,
    source: z.string(),
    resolution: z.enum(["raw", "15m", "1h", "1d"]),
    method: HrvMethodSchema,
    /** Oldest first: a mean with its lowest and highest value, or a sum or a value. In the person's units. */
    points: z.array(
      z.object({ time: SeriesTimeSchema, value: z.number(), low: z.number().optional(), high: z.number().optional() }),
    ),
    segments: z.array(z.object({ start: SeriesTimeSchema, minutes: z.number(), stage: z.enum(SLEEP_STAGES) })),
    notes: z.array(z.string()),
  }),
])

export type Chart = z.infer<typeof ChartSchema>
export type ChartOf<Kind extends Chart["kind"]> = Extract<Chart, { kind: Kind }>
export type ChartedMetric = z.infer<typeof ChartedMetricSchema>
export type ChartedNight = z.infer<typeof ChartedNightSchema>

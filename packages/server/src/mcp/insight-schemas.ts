import {
  AnswerRelationResponseSchema,
  CompareQuerySchema,
  CompareResponseSchema,
  FoundRelationSchema,
  GROUPINGS,
  INSIGHT_DAYS,
  NumberRelationResponseSchema,
  RelateQuerySchema,
  RelationsResponseSchema,
  TOP,
  TrendQuerySchema,
  TrendResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import { PendingSchema, SourceInputSchema } from "./tool-schemas.ts"

const range = {
  days: z.int().min(INSIGHT_DAYS.min).max(INSIGHT_DAYS.max).optional(),
  start_date: TrendQuerySchema.shape.start_date.describe(""),
  end_date: TrendQuerySchema.shape.end_date.describe(""),
  source: SourceInputSchema.describe(""),
}

/** The queries of REST with numbers and truth values of their own type. */
export const INSIGHT_INPUTS = {
  trend: z.strictObject({
    metric: TrendQuerySchema.shape.metric.describe(
      "recovery_score, hrv, resting_heart_rate, respiratory_rate, spo2, skin_temp_deviation, asleep, in_bed, deep, rem, light, awake, " +
        "sleep_efficiency, sleep_performance, sleep_consistency, sleep_need, sleep_debt, bedtime, wake_time, midsleep, nap, strain, calories, " +
        "steps, workout_count, workout (h), distance, last_workout_end, journal:<factor>",
    ),
    ...range,
    by: z.enum(GROUPINGS).optional(),
    points: z.boolean().optional().describe("List every value"),
    top: z.int().min(TOP.min).max(TOP.max).optional(),
  }),
  compare: z.strictObject({
    metric: CompareQuerySchema.shape.metric.describe(""),
    ...range,
    with_start_date: CompareQuerySchema.shape.with_start_date.describe(""),
    with_end_date: CompareQuerySchema.shape.with_end_date.describe(""),
  }),
  relate: z.strictObject({
    outcome: z.string().pipe(RelateQuerySchema.shape.outcome).describe(""),
    factor: RelateQuerySchema.shape.factor.describe("Left out: tries all"),
    lag: z
      .union([z.literal(0), z.literal(1)])
      .optional()
      .describe(""),
    ...range,
  }),
} as const

/** Relations that are told of an answer about all factors. */
export const MOST_RELATIONS = 8

/** Where a value lies in the person's usual range. */
const PositionSchema = z.enum(["below", "inside", "above"]).nullable()

/** A figure of this morning. */
const TodayFigureSchema = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  value: z.union([z.number(), z.string()]),
  usual: z.tuple([z.union([z.number(), z.string()]), z.union([z.number(), z.string()])]).nullable(),
  position: PositionSchema,
})

/** The tools' results: the REST responses with the same keys. */
export const INSIGHT_OUTPUTS = {
  trend: TrendResponseSchema,
  compare: CompareResponseSchema,
  relate: z.union([
    NumberRelationResponseSchema,
    AnswerRelationResponseSchema,
    RelationsResponseSchema.extend({
      relations: z.array(FoundRelationSchema),
      left_out: z.int().optional(),
    }),
  ]),
  today: z.object({
    date: z.string(),
    figures_date: z.string().nullable(),
    pending: PendingSchema.nullable(),
    night: z.object({}).nullable(),
    figures: z.array(TodayFigureSchema),
    strain: z.object({}).nullable(),
  }),
} as const

import {
  AnswerRelationResponseSchema,
  CompareQuerySchema,
  CompareResponseSchema,
  GROUPINGS,
  INSIGHT_DAYS,
  METRIC_IDS,
  NumberRelationResponseSchema,
  PROVIDERS,
  RelateQuerySchema,
  RelationsResponseSchema,
  TOP,
  TrendQuerySchema,
  TrendResponseSchema,
} from "@restwell/client"
import { z } from "zod"

const range = {
  days: z.int().min(INSIGHT_DAYS.min).max(INSIGHT_DAYS.max).optional(),
  start_date: TrendQuerySchema.shape.start_date.describe(""),
  end_date: TrendQuerySchema.shape.end_date.describe(""),
  source: z.string().pipe(z.enum(PROVIDERS)).optional(),
}

/** The queries of REST, with numbers and truth values of their own type. */
export const INSIGHT_INPUTS = {
  trend: z.strictObject({
    metric: TrendQuerySchema.shape.metric.describe(`${METRIC_IDS.join(", ")} or journal:<factor>`),
    ...range,
    by: z.enum(GROUPINGS).optional(),
    points: z.boolean().optional().describe("List every value"),
    top: z.int().min(TOP.min).max(TOP.max).optional(),
  }),
  compare: z.strictObject({
    metric: CompareQuerySchema.shape.metric.describe(""),
    ...range,
    with_start_date: CompareQuerySchema.shape.with_start_date.describe("Default: as many dates before"),
    with_end_date: CompareQuerySchema.shape.with_end_date.describe(""),
  }),
  relate: z.strictObject({
    outcome: z.string().pipe(RelateQuerySchema.shape.outcome).describe("A metric"),
    factor: RelateQuerySchema.shape.factor.describe("Left out: all are tried"),
    lag: z
      .int()
      .pipe(z.union([z.literal(0), z.literal(1)], { error: "must be 0 or 1" }))
      .optional()
      .describe("1: factor of the day before"),
    ...range,
  }),
} as const

/** The tools' results: the REST responses with the same keys. A list of relations may leave out unclear ones. */
export const INSIGHT_OUTPUTS = {
  trend: TrendResponseSchema,
  compare: CompareResponseSchema,
  relate: z.union([
    NumberRelationResponseSchema,
    AnswerRelationResponseSchema,
    RelationsResponseSchema.extend({ left_out: z.int().optional(), clear_left_out: z.int().optional() }),
  ]),
} as const

export type RelateOutput = z.infer<typeof INSIGHT_OUTPUTS.relate>
export type TrendInput = z.infer<typeof INSIGHT_INPUTS.trend>

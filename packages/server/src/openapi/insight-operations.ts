import {
  CompareQuerySchema,
  CompareResponseSchema,
  INSIGHT_DAYS,
  MetricsQuerySchema,
  MetricsResponseSchema,
  RelateQuerySchema,
  RelateResponseSchema,
  TOP,
  TrendQuerySchema,
  TrendResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi"
import { ownResponses, readResponses } from "./health-operation.ts"
import { COMPARE_EXAMPLE, METRICS_EXAMPLE, RELATE_EXAMPLES, TREND_EXAMPLE } from "./insight-examples.ts"
import { failure } from "./responses.ts"

/** Parameters as programs see them: the schemas that parse them read text. */
const days = (byDefault: number) =>
  z.int().min(INSIGHT_DAYS.min).max(INSIGHT_DAYS.max).default(byDefault).meta({
    description: "How many local dates, ending today, or at `end_date`. Dates win over it, and may be any number",
    example: 90,
  })
const top = z.int().min(TOP.min).max(TOP.max).default(TOP.default).meta({
  description: "How many of the highest and lowest values",
  example: 3,
})
const points = z.boolean().default(false).meta({ description: "Whether every value is listed", example: true })
const lag = z.int().min(0).max(1).default(0).meta({
  description: "Days from the factor to the outcome: 1 relates a date's factor to the next date's outcome",
  example: 1,
})
const by = TrendQuerySchema.shape.by.meta({ description: "What the values are grouped by", example: "weekday" })

const OF_STATISTICS =
  "Counted as a read of health data is. Figures come with the number of values, a 95 % interval and a verdict; what they mean and what " +
  "they do not is in docs/insights.md."

interface Described {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly query: z.ZodObject
  readonly schema: z.ZodType
  readonly examples: Readonly<Record<string, { summary: string; value: object }>>
}

const ENDPOINTS: Readonly<Record<string, Described>> = {
  metrics: {
    id: "Metrics",
    summary: "List the metrics",
    description:
      "Every metric and every factor of the journal with answers: unit, which way is usually wanted, and which sources have values of which dates.",
    query: MetricsQuerySchema,
    schema: MetricsResponseSchema,
    examples: { metrics: { summary: "One of the metrics", value: METRICS_EXAMPLE } },
  },
  trend: {
    id: "Trend",
    summary: "Describe one metric over a period",
    description: `Mean, spread, highest and lowest dates, usual range, slope and verdict of one metric, over any length of history. ${OF_STATISTICS}`,
    query: TrendQuerySchema.extend({ days: days(INSIGHT_DAYS.default), by, points, top }),
    schema: TrendResponseSchema,
    examples: { trend: { summary: "metric=hrv&days=90&top=1", value: TREND_EXAMPLE } },
  },
  compare: {
    id: "Comparison",
    summary: "Compare two periods",
    description:
      "The difference of one metric between a period and another one. Without `with_start_date` and `with_end_date` that is as many dates " +
      `before it. Periods that overlap are refused. ${OF_STATISTICS}`,
    query: CompareQuerySchema.extend({ days: days(INSIGHT_DAYS.default) }),
    schema: CompareResponseSchema,
    examples: { compare: { summary: "metric=asleep&days=28", value: COMPARE_EXAMPLE } },
  },
  relate: {
    id: "Relations",
    summary: "Relate one metric to another",
    description:
      "How a metric or a factor of the journal goes with an outcome; without `factor`, each of all, held to a false discovery rate of 10 %. " +
      `An association is not a cause. ${OF_STATISTICS}`,
    query: RelateQuerySchema.extend({ days: days(INSIGHT_DAYS.relateDefault), lag }),
    schema: RelateResponseSchema,
    examples: RELATE_EXAMPLES,
  },
}

const answerOf = ({ schema, examples }: Described) => ({ "application/json": { schema, examples } })

const byKey = (described: Described): ZodOpenApiOperationObject => ({
  operationId: `read${described.id}`,
  summary: described.summary,
  tags: ["Health"],
  security: [{ apiKey: [] }],
  description: described.description,
  requestParams: { query: described.query },
  responses: readResponses(answerOf(described)),
})

const bySession = (described: Described): ZodOpenApiOperationObject => ({
  ...byKey(described),
  operationId: `readOwn${described.id}`,
  summary: `${described.summary} while signed in`,
  tags: ["Account"],
  security: [{ session: [] }],
  description: `The same as /api/v1 has, for the person who is signed in. Not counted.`,
  responses: { ...ownResponses(answerOf(described)), "429": failure("tooManyAtOnce") },
})

/** The statistics, with an API key and with a session. DESIGN section 4, "Insights" */
export const insightPaths: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(ENDPOINTS).flatMap(([name, described]) => [
    [`/api/v1/${name}`, { get: byKey(described) }],
    [`/api/account/${name}`, { get: bySession(described) }],
  ]),
)

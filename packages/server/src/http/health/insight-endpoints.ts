import {
  CompareQuerySchema,
  CompareResponseSchema,
  DAYS,
  DayQuerySchema,
  DayResponseSchema,
  INSIGHT_DAYS,
  LAG_TEXT,
  MetricsQuerySchema,
  MetricsResponseSchema,
  RelateQuerySchema,
  RelateResponseSchema,
  ROWS,
  SignsQuerySchema,
  SignsResponseSchema,
  SportsQuerySchema,
  SportsResponseSchema,
  TOP,
  TrendQuerySchema,
  TrendResponseSchema,
} from "@restwell/client"
import { NOT_A_CAUSE } from "@restwell/client/figures"
import type { InsightQuery, InsightType } from "@restwell/core"
import { z } from "zod"
import {
  COMPARE_EXAMPLE,
  DAY_EXAMPLE,
  METRICS_EXAMPLE,
  RELATE_EXAMPLES,
  SIGNS_EXAMPLE,
  SPORTS_EXAMPLE,
  TREND_EXAMPLE,
} from "../../openapi/insight-examples.ts"
import { countedReadResponses, csvBody, readResponses } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseParameters } from "../plumbing/requests.ts"
import { ReadHeaders, type ReadServices, readByKey, readBySession, WaitHeaders } from "./answer-read.ts"

/** Parameters as programs see them: the schemas that parse them read text. */
const anyDays = z.int().min(INSIGHT_DAYS.min).max(INSIGHT_DAYS.max).meta({
  description: "How many local dates, ending today, or at `end_date`. Dates win over it, and may be any number",
  example: 90,
})
const days = (byDefault: number) => anyDays.default(byDefault)
const top = z.int().min(TOP.min).max(TOP.max).default(TOP.default).meta({
  description: "How many of the highest and lowest values",
  example: 3,
})
const points = z.boolean().default(false).meta({ description: "Whether every value is listed", example: true })
const lag = z.int().min(0).max(1).default(0).meta({ description: LAG_TEXT, example: 1 })
const by = TrendQuerySchema.shape.by.meta({
  description: "What the values are grouped by. weekend: the days off of the preferences, and the working days",
  example: "weekday",
})

const OF_STATISTICS =
  "Counted as a read of health data is. Figures come with the number of values, a 95 % interval and a verdict; what they mean and what " +
  "they do not is at `/docs/insights`."

/** A question about the statistics, which has an endpoint for keys and one for sessions. */
interface Question {
  readonly id: string
  readonly summary: string
  readonly description: string
  /** @throws {InvalidRequest} for the first fault in the query */
  parse(search: string): InsightQuery
  readonly query: z.ZodObject
  readonly schema: z.ZodType
  readonly examples: Readonly<Record<string, { summary: string; value: object }>>
  /** Where it may be CSV. */
  readonly csv?: ReturnType<typeof csvBody>
}

const QUESTIONS: Readonly<Record<InsightType, Question>> = {
  metrics: {
    id: "Metrics",
    summary: "List the metrics",
    description:
      "Every metric and every factor of the journal with answers: unit, which way is usually wanted, and which sources have values of which dates.",
    parse: (search) => ({ type: "metrics", ...parseParameters(search, MetricsQuerySchema) }),
    query: MetricsQuerySchema,
    schema: MetricsResponseSchema,
    examples: { metrics: { summary: "One of the metrics", value: METRICS_EXAMPLE } },
  },
  trend: {
    id: "Trend",
    summary: "Describe one metric over a period",
    description:
      "Mean, spread, sum, highest and lowest dates, dates above or below a limit, usual range, slope and verdict of one metric, over any length " +
      `of history. With \`format=csv\` or \`Accept: text/csv\` the dates with their values, as CSV. ${OF_STATISTICS}`,
    parse: (search) => ({ type: "trend", ...parseParameters(search, TrendQuerySchema) }),
    query: TrendQuerySchema.extend({ days: days(INSIGHT_DAYS.trendDefault), by, points, top }),
    schema: TrendResponseSchema,
    examples: { trend: { summary: "metric=hrv&days=90&top=1", value: TREND_EXAMPLE } },
    csv: csvBody("metric=hrv", "date,value\r\n2026-11-18,61.7\r\n2026-11-19,64.2\r\n"),
  },
  compare: {
    id: "Comparison",
    summary: "Compare two periods",
    description:
      "The difference of one metric between a period and another one. Without `with_start_date` and `with_end_date` that is as many dates " +
      `before it. Periods that overlap are refused. ${OF_STATISTICS}`,
    parse: (search) => ({ type: "compare", ...parseParameters(search, CompareQuerySchema) }),
    query: CompareQuerySchema.extend({
      // No default in the schema: some clients send it, and it depends on another parameter.
      days: anyDays.optional().meta({
        description:
          "How many local dates, ending today, or at `end_date`. Dates win over it, and may be any number. " +
          `Without it ${INSIGHT_DAYS.default}, and ${INSIGHT_DAYS.sourcesDefault} with \`with_source\``,
        example: 28,
      }),
    }),
    schema: CompareResponseSchema,
    examples: { compare: { summary: "metric=asleep&days=28", value: COMPARE_EXAMPLE } },
  },
  relate: {
    id: "Relations",
    summary: "Relate one metric to another",
    description:
      "How a metric, a factor of the journal or a workout of one sport goes with an outcome; without `factor`, each of all, held to a false discovery rate of 10 %. " +
      `The pattern of the week is taken out of both sides. Parts of the outcome are marked and come last. ${NOT_A_CAUSE} ${OF_STATISTICS}`,
    parse: (search) => ({ type: "relate", ...parseParameters(search, RelateQuerySchema) }),
    query: RelateQuerySchema.extend({ days: days(INSIGHT_DAYS.relateDefault), lag }),
    schema: RelateResponseSchema,
    examples: RELATE_EXAMPLES,
  },
  sports: {
    id: "Sports",
    summary: "Read the workouts by sport",
    description:
      "The workouts of a period by sport: count, hours, distance, energy, strain, the longest and the farthest one, and the recovery of the " +
      "dates after them. Rest that a vendor lists as a workout is left out. Counted as a read of health data is.",
    parse: (search) => ({ type: "sports", ...parseParameters(search, SportsQuerySchema) }),
    query: SportsQuerySchema.extend({ days: days(INSIGHT_DAYS.sportsDefault) }),
    schema: SportsResponseSchema,
    examples: { sports: { summary: "sport=running", value: SPORTS_EXAMPLE } },
  },
  signs: {
    id: "Signs",
    summary: "Read what is far from usual",
    description:
      "The mornings of the last dates on which resting heart rate, HRV, respiratory rate or skin temperature is more than two standard " +
      "deviations from the mean of the 30 values before. Figures only: no cause, no diagnosis. Counted as a read of health data is.",
    parse: (search) => ({ type: "signs", ...parseParameters(search, SignsQuerySchema) }),
    query: SignsQuerySchema.extend({
      days: z.int().min(DAYS.min).max(DAYS.max).default(DAYS.default).meta({
        description: "How many local dates, ending today, or at `end_date`",
        example: 7,
      }),
    }),
    schema: SignsResponseSchema,
    examples: { signs: { summary: "days=7", value: SIGNS_EXAMPLE } },
  },
  day: {
    id: "Day",
    summary: "Read one day",
    description:
      "Everything of one local date: the lists of its records and journal answers, the figures of the night and of the morning beside the " +
      "person's usual ranges, what is missing and why, and what is far from usual. Figures only: no cause, no diagnosis. Counted as a read of health data is.",
    parse: (search) => ({ type: "day", ...parseParameters(search, DayQuerySchema) }),
    query: DayQuerySchema.extend({
      rows: z.int().min(ROWS.min).max(ROWS.max).default(ROWS.default).meta({
        description: "How many dates up to this one the answer has as rows for charts",
        example: 1,
      }),
    }),
    schema: DayResponseSchema,
    examples: { day: { summary: "date=2026-11-19", value: DAY_EXAMPLE } },
  },
}

/** The endpoints of the statistics, below `/api/v1/` with a key and `/api/account/` with a session. */
const endpointsOf = ([type, question]: readonly [string, Question]) => {
  const { id, summary, description, parse, query, schema, examples, csv } = question
  // The catalogue has no dates.
  const canWait = type !== "metrics"
  const read = { parse, hasCsv: csv !== undefined, canWait }
  const content = { "application/json": { schema, examples }, ...csv }
  return [
    ...defineEndpoints<ReadServices>("Health", [
      {
        method: "GET",
        path: `/api/v1/${type}`,
        access: "key",
        id: `read${id}`,
        summary,
        description,
        query,
        headers: canWait ? WaitHeaders : ReadHeaders,
        responses: countedReadResponses(content, { canWait }),
        handle: readByKey(read),
      },
    ]),
    ...defineEndpoints<ReadServices>("Account", [
      {
        method: "GET",
        path: `/api/account/${type}`,
        access: "session",
        id: `readOwn${id}`,
        summary: `${summary} while signed in`,
        description: "The same as /api/v1 has, for the person who is signed in. Not counted.",
        query,
        responses: readResponses(content),
        failures: ["invalidRequest", "tooManyAtOnce"],
        handle: readBySession(read),
      },
    ]),
  ]
}

/** The statistics. */
export const insightEndpoints = Object.entries(QUESTIONS).flatMap(endpointsOf)

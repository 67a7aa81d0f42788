import {
  dateParameter,
  InsightsPageSchema,
  MetricPageSchema,
  PeriodPageSchema,
  PROVIDERS,
  RelateQuerySchema,
  TrendQuerySchema,
  WeekPageSchema,
} from "@restwell/client"
import type { PageQuery } from "@restwell/core"
import { z } from "zod"
import { readResponses } from "../../openapi/responses.ts"
import { type ReadServices, readBySession } from "../health/answer-read.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseParameters } from "../plumbing/requests.ts"
import { DATES, DatesSchema, SOURCE } from "./days.ts"

const DateSchema = z.object({
  date: dateParameter("The last of the seven dates. Today if it is left out or later").optional(),
})

/** Each page has a period of its own by default. */
const PeriodSchema = DatesSchema.extend({ days: DatesSchema.shape.days.unwrap().optional() })
/** The parameters as programs see them. */
const PERIOD = DATES.extend({ days: DATES.shape.days.unwrap().optional() })

const metric = z.string().max(300).meta({ description: "The metric's id", example: "hrv" })
const { sport } = TrendQuerySchema.shape
const MetricSchema = PeriodSchema.extend({ metric, source: SOURCE, sport })

const RelationSchema = RelateQuerySchema.partial({ outcome: true }).extend({
  source: z.enum(PROVIDERS).optional(),
})
const RELATION = RelationSchema.extend({
  days: z.int().min(1).optional().meta({ description: "Number of dates, ending today", example: 180 }),
  lag: z.int().min(0).max(1).optional().meta({
    description: "As on /api/v1/relate. Left out, each factor is paired with what came before the outcome",
    example: 1,
  }),
})

interface Page {
  readonly page: PageQuery["page"]
  readonly id: string
  readonly description: string
  /** @throws {InvalidRequest} for the first fault in the query */
  parse(search: string): Omit<PageQuery, "type" | "page">
  readonly query: z.ZodObject
  readonly schema: z.ZodType
}

const PAGES: readonly Page[] = [
  {
    page: "trends",
    id: "Trends",
    description: "Every day of a period, and each figure of the cards beside as many dates before.",
    parse: (search) => parseParameters(search, PeriodSchema),
    query: PERIOD,
    schema: PeriodPageSchema,
  },
  {
    page: "report",
    id: "Report",
    description: "Every day of a period, by default of 90 dates, and each figure of the report.",
    parse: (search) => parseParameters(search, PeriodSchema),
    query: PERIOD,
    schema: PeriodPageSchema,
  },
  {
    page: "week",
    id: "Week",
    description: "Seven days, and each figure beside the seven dates and the 30 dates before them.",
    parse: (search) => parseParameters(search, DateSchema),
    query: DateSchema,
    schema: WeekPageSchema,
  },
  {
    page: "metric",
    id: "Metric",
    description:
      "One metric over a period with its values and weekdays, beside as many dates before, and the catalogue.",
    parse: (search) => parseParameters(search, MetricSchema),
    query: PERIOD.extend({ metric, source: SOURCE, sport }),
    schema: MetricPageSchema,
  },
  {
    page: "insights",
    id: "Insights",
    description: "What goes with an outcome: one factor, or all, and the catalogue.",
    parse: (search) => parseParameters(search, RelationSchema),
    query: RELATION,
    schema: InsightsPageSchema,
  },
]

/** What the dashboard's pages of statistics are drawn from, each in one answer. */
export const statisticsPageEndpoints = defineEndpoints<ReadServices>(
  "Account",
  PAGES.map(({ page, id, description, parse, query, schema }) => ({
    method: "GET" as const,
    path: `/api/account/pages/${page}`,
    access: "session" as const,
    id: `read${id}Page`,
    summary: `Read everything of the page ${id}`,
    description: `${description} The figures are those of the endpoints for each. Not counted.`,
    query,
    responses: readResponses({ "application/json": { schema } }),
    failures: ["invalidRequest", "tooManyAtOnce"] as const,
    handle: readBySession({
      parse: (search) => ({ type: "page", page, ...parse(search) }),
      hasCsv: false,
      isLarge: true,
    }),
  })),
)

import type {
  CompareQuery,
  CompareResponse,
  MetricsQuery,
  MetricsResponse,
  RelateQuery,
  RelateResponse,
  TrendQuery,
  TrendResponse,
} from "@restwell/client"
import type { MetricGroup } from "./metric-group.ts"

/** A question about all of a person's days, as its endpoint parses it. */
export type InsightQuery =
  | ({ readonly type: "metrics" } & MetricsQuery)
  | ({ readonly type: "trend" } & TrendQuery)
  | ({ readonly type: "compare" } & CompareQuery)
  | ({ readonly type: "relate" } & RelateQuery)

export type InsightBody = MetricsResponse | TrendResponse | CompareResponse | RelateResponse

export type InsightType = InsightQuery["type"]

const INSIGHT_TYPES: readonly string[] = ["metrics", "trend", "compare", "relate"] satisfies InsightType[]

/** True for a question about the statistics, false for a read of records. */
export const isInsight = <Query extends { readonly type: string }>(
  query: Query | InsightQuery,
): query is InsightQuery => INSIGHT_TYPES.includes(query.type)

/** What an assistant may be told. Nothing else is read for its answer. */
export interface InsightLimits {
  /** Metrics that are shared. */
  readonly groups: readonly MetricGroup[]
  /** The oldest date that is shared. Null for all. */
  readonly from: string | null
}

import { CompareQuerySchema, MetricsQuerySchema, RelateQuerySchema, TrendQuerySchema } from "@restwell/client"
import type { InsightQuery, InsightType } from "@restwell/core"
import { LRUCache } from "lru-cache"
import { parseParameters } from "../plumbing/query-parameters.ts"

/** The endpoints of the statistics, below `/api/v1/` with a key and `/api/account/` with a session. */
export const INSIGHT_TYPES = ["metrics", "trend", "compare", "relate"] as const satisfies InsightType[]

export const INSIGHT_PATHS: readonly string[] = INSIGHT_TYPES.map((type) => `/api/v1/${type}`)

/** Clients repeat their queries, as those of the health data. */
const parsedQueries = new LRUCache<string, InsightQuery>({ max: 1_024 })
const LONGEST_REMEMBERED = 256

/** The query of a question about the statistics. @throws {InvalidRequest} for the first fault in it */
export const parseInsightQuery =
  (type: InsightType) =>
  (search: string): InsightQuery => {
    const known = parsedQueries.get(`${type}?${search}`)
    if (known) return known
    const query = parseFresh(type, search)
    if (search.length <= LONGEST_REMEMBERED) parsedQueries.set(`${type}?${search}`, query)
    return query
  }

function parseFresh(type: InsightType, search: string): InsightQuery {
  switch (type) {
    case "metrics":
      return { type, ...parseParameters(search, MetricsQuerySchema) }
    case "trend":
      return { type, ...parseParameters(search, TrendQuerySchema) }
    case "compare":
      return { type, ...parseParameters(search, CompareQuerySchema) }
    case "relate":
      return { type, ...parseParameters(search, RelateQuerySchema) }
  }
}

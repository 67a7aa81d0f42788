import type { InsightQuery, ReadQuery } from "@restwell/core"

/** What a tool may read in one call: records, or a question about the statistics. */
export type Query = ReadQuery | InsightQuery

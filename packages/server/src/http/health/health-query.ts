import { type HealthQuery, HealthQuerySchema, JournalQuerySchema } from "@restwell/client"
import type { ReadQuery } from "@restwell/core"
import { LRUCache } from "lru-cache"
import { parseParameters } from "../plumbing/query-parameters.ts"

export const HEALTH_PATH = "/api/v1/health"

/** Clients repeat their queries. Validating one again would cost a cached read 7 % of its time. */
const parsedQueries = new LRUCache<string, HealthQuery>({ max: 4_096 })
const LONGEST_REMEMBERED = 256

/** The query of a health read, from the raw query string. @throws {InvalidRequest} for the first fault in it */
export function parseHealthQuery(search: string): HealthQuery {
  const known = parsedQueries.get(search)
  if (known) return known
  const query = parseParameters(search, HealthQuerySchema)
  if (search.length <= LONGEST_REMEMBERED) parsedQueries.set(search, query)
  return query
}

export const JOURNAL_PATH = "/api/v1/journal"

/** The query of a journal read. @throws {InvalidRequest} for the first fault in it */
export const parseJournalQuery = (search: string): ReadQuery => ({
  ...parseParameters(search, JournalQuerySchema),
  type: "journal",
})

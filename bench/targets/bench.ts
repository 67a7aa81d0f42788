import type { BenchService } from "./bench-service.ts"
import type { BenchPerson } from "./people.ts"

/** What every section measures: a service with data and people. */
export interface Bench {
  readonly service: BenchService
  /** The kind of its PostgreSQL. */
  readonly postgres: "embedded" | "external"
  /** The person whose records were synced from the vendor. */
  readonly person: BenchPerson
  /** Copies of that person, each with a key. */
  readonly people: readonly BenchPerson[]
}

/** Days of history of the copies. */
export const COPIED_DAYS = 180
const LONGEST_RANGE_DAYS = 90

/** The query of a read of 90 days that end this many days ago, without its question mark. */
export function ninetyNights(endedDaysAgo = 1): string {
  const end = Temporal.Now.plainDateISO("UTC").subtract({ days: endedDaysAgo })
  return `type=sleep&start_date=${end.subtract({ days: LONGEST_RANGE_DAYS - 1 })}&end_date=${end}`
}

/** The queries of all ranges of 90 nights in the history of the copies. */
export const nightRanges = (): string[] =>
  Array.from({ length: COPIED_DAYS - LONGEST_RANGE_DAYS }, (_, daysAgo) => ninetyNights(daysAgo + 1))

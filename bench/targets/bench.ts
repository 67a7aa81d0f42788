import type { BenchService } from "./bench-service.ts"
import type { BenchPerson } from "./people.ts"

/** What every section measures: a service with data, and its people. */
export interface Bench {
  readonly service: BenchService
  /** Where its PostgreSQL is. */
  readonly postgres: "embedded" | "external"
  /** The person whose data came through the vendor's API. */
  readonly person: BenchPerson
  /** Copies of that person, each with a key. */
  readonly people: readonly BenchPerson[]
}

/** Dates that the copies have, newest last; the newest may still change and is left out. */
export const COPIED_DAYS = 180
const LONGEST_RANGE_DAYS = 90

/** 90 dates that end so many days ago. @returns the query of a read, without its question mark */
export function ninetyNights(endedDaysAgo = 1): string {
  const end = Temporal.Now.plainDateISO("UTC").subtract({ days: endedDaysAgo })
  return `type=sleep&start_date=${end.subtract({ days: LONGEST_RANGE_DAYS - 1 })}&end_date=${end}`
}

/** So many different ranges of 90 nights as the copies have. */
export const nightRanges = (): string[] =>
  Array.from({ length: COPIED_DAYS - LONGEST_RANGE_DAYS }, (_, daysAgo) => ninetyNights(daysAgo + 1))

import type { HealthType, SourceValue } from "../rest/query.ts"

/** Which source to read. */
export interface SourceChoice {
  /** One source alone, or `all`: every source's records, each with `chosen`. @default the chosen source of each date */
  readonly source?: SourceValue | undefined
}

/** The newest `days` dates: ending today, or at `endDate`. */
export interface LastDays extends SourceChoice {
  /** How many dates, 1 to 90. @default 7 */
  readonly days?: number | undefined
  /** Last local date, inclusive, YYYY-MM-DD. @default today */
  readonly endDate?: string | undefined
  readonly startDate?: undefined
}

/** All dates from `startDate` through `endDate`, at most 90. */
export interface FromDate extends SourceChoice {
  /** First local date, inclusive, YYYY-MM-DD. */
  readonly startDate: string
  /** Last local date, inclusive, YYYY-MM-DD. @default today */
  readonly endDate?: string | undefined
  /** Never with `startDate`: the service would ignore it. */
  readonly days?: undefined
}

/** Which local dates to read, and from which source. "Today" and every date are in the person's time zone, not this machine's. Spec 4.1. */
export type DateRange = LastDays | FromDate

/** Returns the URL of one read. The service checks the dates, because only it knows the person's "today". */
export function healthUrl(baseUrl: string, type: HealthType | "journal", range: DateRange): string {
  const query = new URLSearchParams(type === "journal" ? {} : { type })
  if (range.days !== undefined) query.set("days", String(range.days))
  if (range.startDate !== undefined) query.set("start_date", range.startDate)
  if (range.endDate !== undefined) query.set("end_date", range.endDate)
  if (range.source !== undefined) query.set("source", range.source)
  return type === "journal" ? `${baseUrl}/api/v1/journal?${query}` : `${baseUrl}/api/v1/health?${query}`
}

import { DAYS, type HealthQuery, type SummaryResponse } from "@restwell/client"
import { midnightIn, type TimeZone } from "./time-zone.ts"

/** Calendar dates, both inclusive, YYYY-MM-DD. */
export interface DateRange {
  readonly from: string
  readonly to: string
}

/** The date so many days later. Negative numbers go back. */
export const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** The number of dates, both ends included. */
export const countDates = ({ from, to }: DateRange): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: "days" }).days + 1

/** Every date of the range, the oldest first. */
export const datesOf = (range: DateRange): string[] =>
  Array.from({ length: countDates(range) }, (_, index) => addDays(range.from, index))

/** The dates that a query selects. Dates win over `days`, and a missing end is today. DESIGN section 4. */
export function resolveDateRange(query: Omit<HealthQuery, "type">, today: string): DateRange {
  const to = query.end_date ?? today
  return { from: query.start_date ?? addDays(to, 1 - (query.days ?? DAYS.default)), to }
}

/**
 * Dates that contain the query's range wherever the person is. Offsets stay below 24 hours, so today there is the UTC date, the
 * date before or the date after.
 */
export const widestDateRange = (query: Omit<HealthQuery, "type">, utcDate: string): DateRange => ({
  from: resolveDateRange(query, addDays(utcDate, -1)).from,
  to: resolveDateRange(query, addDays(utcDate, 1)).to,
})

/** The period of a summary: its dates, and the UTC instants of local midnight at the first date and after the last. */
export const periodOf = (range: DateRange, zone: TimeZone): SummaryResponse["period"] => ({
  start: midnightIn(zone, range.from).toISOString(),
  end: midnightIn(zone, addDays(range.to, 1)).toISOString(),
  start_date: range.from,
  end_date: range.to,
  days: countDates(range),
})

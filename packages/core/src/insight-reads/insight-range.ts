import { addDays, countDates, type DateRange } from "../calendar/date-range.ts"
import { InvalidRequest } from "../context/errors.ts"

interface RangeQuery {
  readonly days?: number | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

/** The dates of a question, of any length. Dates win over `days`, and a missing end is today. @throws {InvalidRequest} */
export function insightRange(query: RangeQuery, today: string, defaultDays: number): DateRange {
  const to = query.end_date ?? today
  const from = query.start_date ?? addDays(to, 1 - (query.days ?? defaultDays))
  if (from <= to) return { from, to }
  const end = to === today ? `today, ${today}` : `end_date ${to}`
  throw new InvalidRequest(`start_date ${from} is after ${end}`, "start_date")
}

interface OtherQuery {
  readonly with_start_date?: string | undefined
  readonly with_end_date?: string | undefined
}

/** What a period is compared with: the dates that are given, or as many dates before it. @throws {InvalidRequest} */
export function otherRange({ with_start_date: from, with_end_date: to }: OtherQuery, period: DateRange): DateRange {
  if (from === undefined && to === undefined) return before(period)
  if (from === undefined) throw new InvalidRequest("with_start_date is missing beside with_end_date", "with_start_date")
  if (to === undefined) throw new InvalidRequest("with_end_date is missing beside with_start_date", "with_end_date")
  if (from > to) throw new InvalidRequest(`with_start_date ${from} is after with_end_date ${to}`, "with_start_date")
  if (from <= period.to && to >= period.from)
    throw new InvalidRequest(
      `the periods overlap: ${period.from} to ${period.to} and ${from} to ${to} have dates in common`,
      "with_start_date",
    )
  return { from, to }
}

const before = (period: DateRange): DateRange => ({
  from: addDays(period.from, -countDates(period)),
  to: addDays(period.from, -1),
})

/** The dates as an answer has them. */
export const presentDates = (range: DateRange) => ({
  start_date: range.from,
  end_date: range.to,
  days: countDates(range),
})

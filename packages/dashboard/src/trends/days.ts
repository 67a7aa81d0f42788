import type { TrendDay } from "@restwell/client"
import { addDays, isDate } from "@restwell/client/calendar-dates"
import { daysBetween, fullDate, monthOf, tickDate, weekdayOf } from "../format/date.ts"

/** The number of dates up to today, or all dates. */
export type TrendDays = number | "all"

/** Most dates of one trend. */
export const MOST_DAYS = 4_000

/** The period that a URL names, or else the usual one. */
export function daysOf(text: string | null, usual: TrendDays): TrendDays {
  if (text === "all") return text
  const days = Number(text ?? Number.NaN)
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS ? days : usual
}

/** Calendar dates, both inclusive. */
export interface Dates {
  readonly start_date: string
  readonly end_date: string
}

/** The number of dates. */
export const daysIn = ({ start_date: start, end_date: end }: Dates): number => daysBetween(start, end) + 1

/** The dates of a page: the last ones up to today, all of them, or own ones. */
export type Period = TrendDays | Dates

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A date of the calendar, or undefined for any other text. */
export const dateOf = (text: string | null): string | undefined =>
  text !== null && DATE.test(text) && isDate(text) ? text : undefined

/** The period that a URL names, or else the usual one. Own dates need both ends in their order. */
export function periodOf(url: URLSearchParams, usual: TrendDays): Period {
  const [start, end] = [dateOf(url.get("start_date")), dateOf(url.get("end_date"))]
  if (start !== undefined && end !== undefined && start <= end) return { start_date: start, end_date: end }
  return daysOf(url.get("days"), usual)
}

/** The period as the parameters of a URL or a request. */
export const periodParameters = (
  period: Period,
): Readonly<Record<"days" | "start_date" | "end_date", string | undefined>> =>
  typeof period === "object"
    ? { days: undefined, ...period }
    : { days: String(period), start_date: undefined, end_date: undefined }

/** "days=30", "start_date=2026-10-01&end_date=2026-10-31" */
export const periodSearch = (period: Period): string =>
  new URLSearchParams(typeof period === "object" ? { ...period } : { days: String(period) }).toString()

/** The days of one column of a chart: one day, or a week or a month in a long range. */
export interface Bucket<Day = TrendDay> {
  readonly key: string
  readonly days: readonly Day[]
  /** Label on the axis. */
  readonly tick: string
  /** Label in the description and the table. */
  readonly label: string
}

export type Grain = "day" | "week" | "month"

/** With more columns, a column would be narrower than a pointer. */
const MAX_DAYS = 100
const MAX_WEEKS = 110
const WEEK_DAYS = 7

/** What a column of a chart is: "Daily recovery", "Weekly average recovery". */
export const GRAIN_WORDS: Readonly<Record<Grain, string>> = {
  day: "Daily",
  week: "Weekly average",
  month: "Monthly average",
}

export const grainOf = (dayCount: number): Grain =>
  dayCount <= MAX_DAYS ? "day" : dayCount <= MAX_WEEKS * WEEK_DAYS ? "week" : "month"

/**
 * Groups the days into buckets, oldest first. The first and the last bucket may be shorter.
 * @param firstWeekday of a week: 0 for Monday to 6 for Sunday
 */
export function bucketsOf<Day extends { readonly date: string }>(
  days: readonly Day[],
  grain: Grain,
  firstWeekday = 0,
): Bucket<Day>[] {
  const groups = Map.groupBy(days, ({ date }) => keyOf(date, grain, firstWeekday))
  return [...groups].map(([key, group]) => ({ key, days: group, ...textsOf(key, grain) }))
}

const keyOf = (date: string, grain: Grain, firstWeekday: number): string => {
  if (grain === "day") return date
  return grain === "week"
    ? addDays(date, -((weekdayOf(date) - firstWeekday + WEEK_DAYS) % WEEK_DAYS))
    : `${date.slice(0, 7)}-01`
}

function textsOf(key: string, grain: Grain): { tick: string; label: string } {
  if (grain === "day") return { tick: tickDate(key), label: fullDate(key) }
  if (grain === "week") return { tick: tickDate(key), label: `Week of ${fullDate(key)}` }
  return { tick: monthOf(key), label: monthOf(key) }
}

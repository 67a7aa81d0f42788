import type { TrendDay } from "@restwell/client"
import { addDays, fullDate, monthOf, tickDate, weekdayOf } from "../format/date.ts"

/** One place on a chart: a day, or where days would be too thin to see, a week or a month of them. */
export interface Bucket {
  readonly key: string
  readonly days: readonly TrendDay[]
  /** Below the axis. */
  readonly tick: string
  /** In the read-out and the table. */
  readonly label: string
}

export type Grain = "day" | "week" | "month"

/** More than so many columns are thinner than a pointer. */
const MOST_DAYS = 100
const MOST_WEEKS = 110
const WEEK_DAYS = 7

export const grainOf = (dayCount: number): Grain =>
  dayCount <= MOST_DAYS ? "day" : dayCount <= MOST_WEEKS * WEEK_DAYS ? "week" : "month"

/** The days in places of one grain, oldest first. A week begins on Monday; the first and the last place may be shorter. */
export function bucketsOf(days: readonly TrendDay[], grain: Grain): Bucket[] {
  const groups = Map.groupBy(days, ({ date }) => keyOf(date, grain))
  return [...groups].map(([key, group]) => ({ key, days: group, ...textsOf(key, grain) }))
}

const keyOf = (date: string, grain: Grain): string => {
  if (grain === "day") return date
  return grain === "week" ? addDays(date, -weekdayOf(date)) : `${date.slice(0, 7)}-01`
}

function textsOf(key: string, grain: Grain): { tick: string; label: string } {
  if (grain === "day") return { tick: tickDate(key), label: fullDate(key) }
  if (grain === "week") return { tick: tickDate(key), label: `Week of ${fullDate(key)}` }
  return { tick: monthOf(key), label: monthOf(key) }
}

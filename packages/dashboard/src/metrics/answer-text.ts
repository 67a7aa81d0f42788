// Periods in words, and answers of the statistics as rows of charts.

import type { ChartedMetric, FoundRelation } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import {
  type DateGroup,
  drawnGroups,
  figureText,
  isClear,
  meanText,
  NONE,
  plural,
  rhoText,
} from "@restwell/client/figures"
import { dateInYearOf, daysBetween, mediumDate, monthOf, tickDate } from "../format/date.ts"
import type { Dates } from "../trends/days.ts"
import type { Row } from "./row-chart.tsx"

/** "Aug 24 to Nov 21, 2026", and of a British reader "24 Aug to 21 Nov 2026" */
export function datesText({ start_date: start, end_date: end }: Dates): string {
  if (start === end) return mediumDate(end)
  return `${dateInYearOf(start, end)} to ${mediumDate(end)}`
}

const LONG_DAYS = 300

/** "Aug 24 to Nov 21", and for about a year or more "Nov 2025 to Nov 2026". */
export function shortDatesText({ start_date: start, end_date: end }: Dates): string {
  const written = daysBetween(start, end) >= LONG_DAYS ? monthOf : tickDate
  return start === end ? tickDate(end) : `${written(start)} to ${written(end)}`
}

/** Every date of a period, oldest first. */
export function datesIn({ start_date: start, end_date: end }: Dates): string[] {
  const dates: string[] = []
  for (let date = start; date <= end; date = addDays(date, 1)) dates.push(date)
  return dates
}

/** Part of -1 to 1 that an axis of correlations has in any case. */
export const RHO_REACH = [-0.5, 0.5] as const

/** A row of the chart for each group. @param isClear whether their difference is clear */
export const groupRows = (metric: ChartedMetric, groups: readonly DateGroup[], isClear: boolean): Row[] =>
  drawnGroups(metric, groups).map(({ label, short, n, value, range, ...group }) => ({
    label: `${label}, ${plural(n, "date")}`,
    ...(short !== undefined && { short: `${short}, ${plural(n, "date")}` }),
    value,
    range,
    figure: figureText(metric, group.mean),
    text: meanText(metric, group),
    isClear,
  }))

/** A row of the chart for one of many correlations. */
export const relationRow = (title: string, { rho = null, interval, n, verdict }: FoundRelation): Row => ({
  label: `${title}, ${plural(n, "date")}`,
  value: rho,
  range: interval,
  figure: rho === null ? NONE : rhoText(rho),
  text: `${rho === null ? "no data" : rhoText(rho)}, ${isClear(verdict) ? "clear" : "no clear link"}`,
  isClear: isClear(verdict),
})

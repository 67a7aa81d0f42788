import { addDays, tickDate } from "../format/date.ts"

export interface Dates {
  readonly start_date: string
  readonly end_date: string
}

const yearOf = (date: string): string => date.slice(0, 4)
const withYear = (date: string): string => `${tickDate(date)}, ${yearOf(date)}`

/** "Aug 24 to Nov 21, 2026" */
export function datesText({ start_date: start, end_date: end }: Dates): string {
  if (start === end) return withYear(end)
  return `${yearOf(start) === yearOf(end) ? tickDate(start) : withYear(start)} to ${withYear(end)}`
}

/** Every date of a period, oldest first. */
export function datesIn({ start_date: start, end_date: end }: Dates): string[] {
  const dates: string[] = []
  for (let date = start; date <= end; date = addDays(date, 1)) dates.push(date)
  return dates
}

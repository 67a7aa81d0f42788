// Dates as whole numbers: days since 1970-01-01. Neighbours and gaps are plain subtraction then.

const DAY_MS = 86_400_000
const DAYS_PER_WEEK = 7
/** 1970-01-01 was a Thursday, the fourth day of its ISO week. */
const THURSDAY = 3

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** The day number of a date, YYYY-MM-DD. */
export const dayOf = (date: string): number => Date.parse(date) / DAY_MS

/** The date of a day number, YYYY-MM-DD. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const weekdayIndex = (day: number): number => (((day + THURSDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK

export const weekdayOf = (day: number): Weekday => WEEKDAYS[weekdayIndex(day)] ?? "monday"

/** The Thursday of the day's ISO week. It names the week, because its year is the week's year. */
export const thursdayOf = (day: number): number => day - weekdayIndex(day) + THURSDAY

/** ISO 8601 week, as in 2026-W47. */
export function isoWeekOf(day: number): string {
  const thursday = thursdayOf(day)
  const year = dateOf(thursday).slice(0, 4)
  const week = Math.floor((thursday - dayOf(`${year}-01-01`)) / DAYS_PER_WEEK) + 1
  return `${year}-W${String(week).padStart(2, "0")}`
}

/** Month, as in 2026-11. */
export const monthOf = (day: number): string => dateOf(day).slice(0, 7)

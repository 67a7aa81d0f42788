/** Calendar dates, YYYY-MM-DD. They are days of no zone. */
import { DAY_MS } from "./time-units.ts"

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
export type Weekday = (typeof WEEKDAYS)[number]

const TIME_LENGTH = "T00:00:00.000Z".length

/** The UTC date at an instant. A year after 9999 has more digits. */
export const utcDateOf = (instant: Date): string => instant.toISOString().slice(0, -TIME_LENGTH)

/** The date N days later. Negative numbers go back. */
export const addDays = (date: string, days: number): string => utcDateOf(new Date(Date.parse(date) + days * DAY_MS))

/** Whether a text is a day of the calendar. February has no 30th. */
export function isDate(text: string): boolean {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(milliseconds) && utcDateOf(new Date(milliseconds)) === text
}

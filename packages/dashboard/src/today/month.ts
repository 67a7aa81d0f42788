import { addDays, weekdayOf } from "../format/date.ts"

const WEEK = 7

/** "2026-11" of a date. */
export const monthOfDate = (date: string): string => date.slice(0, 7)

/** The month so many months later. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number)
  const index = year * 12 + number - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`
}

export const firstOf = (month: string): string => `${month}-01`
export const lastOf = (month: string): string => addDays(firstOf(addMonths(month, 1)), -1)

/** The same day of another month, or the month's last day. */
export function inMonth(date: string, month: string): string {
  const last = lastOf(month)
  const wanted = `${month}-${date.slice(8)}`
  return wanted > last ? last : wanted
}

/** The column of a date in its week, from 0. @param firstWeekday 0 for Monday to 6 for Sunday */
export const columnOf = (date: string, firstWeekday: number): number => (weekdayOf(date) - firstWeekday + WEEK) % WEEK

/** The weeks of a month. Days of other months are undefined. @param firstWeekday 0 for Monday to 6 for Sunday */
export function weeksOf(month: string, firstWeekday: number): (string | undefined)[][] {
  const [first, last] = [firstOf(month), lastOf(month)]
  const start = addDays(first, -columnOf(first, firstWeekday))
  const weeks: (string | undefined)[][] = []
  for (let week = start; week <= last; week = addDays(week, WEEK))
    weeks.push(
      Array.from({ length: WEEK }, (_, day) => addDays(week, day)).map((date) =>
        monthOfDate(date) === month ? date : undefined,
      ),
    )
  return weeks
}

/** Every month from the newest to the oldest. */
export function monthsBetween(oldest: string, newest: string): string[] {
  const months: string[] = []
  for (let month = monthOfDate(newest); month >= monthOfDate(oldest); month = addMonths(month, -1)) months.push(month)
  return months
}

import { WEEKDAYS, weekdayOf } from "../format/date.ts"
import type { Sample } from "./samples.ts"

/** The mean of an hour of the week. */
export interface HourMean {
  /** 0 for Monday to 6 for Sunday. */
  readonly weekday: number
  /** 0 to 23, on the local clock. */
  readonly hour: number
  /** Null for a weekday without values. */
  readonly mean: number | null
  /** The dates of this weekday that have values. */
  readonly dates: number
}

export const HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Returns the mean sum of each hour of the week, Monday first. An hour without a value counts as zero on a date that has others.
 * @param hours sums of hours, oldest first @param days sums of the dates, oldest first
 */
export function meansByHour(hours: readonly Sample[], days: readonly Sample[]): HourMean[] {
  const dates = new Array<number>(WEEKDAYS.length).fill(0)
  const sums = new Array<number>(WEEKDAYS.length * HOURS).fill(0)
  const midnights = days.flatMap(({ atMs, date }) => (date === undefined ? [] : [{ atMs, weekday: weekdayOf(date) }]))
  for (const { weekday } of midnights) dates[weekday] = (dates[weekday] ?? 0) + 1
  let index = 0
  for (const { atMs, value } of hours) {
    while ((midnights[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) index += 1
    const day = midnights[index]
    if (!day || atMs < day.atMs) continue
    // The last hour of a date of 25 hours is counted with the one before.
    const hour = Math.min(Math.floor((atMs - day.atMs) / HOUR_MS), HOURS - 1)
    const slot = day.weekday * HOURS + hour
    sums[slot] = (sums[slot] ?? 0) + value
  }
  return sums.map((sum, slot) => {
    const weekday = Math.floor(slot / HOURS)
    const count = dates[weekday] ?? 0
    return { weekday, hour: slot % HOURS, mean: count === 0 ? null : sum / count, dates: count }
  })
}

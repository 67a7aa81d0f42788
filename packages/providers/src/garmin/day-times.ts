// When the days of Garmin's archive begin and end. A row may lack one of its times, or both.
import { addDays } from "@restwell/client/calendar-dates"
import { SECOND_MS } from "@restwell/client/time-units"
import type { Offsets } from "../archive/offsets.ts"
import { type DayRow, dateOf, instantOf, isKnown } from "./wire.ts"

/** A day with the times that its row has. */
export interface Day {
  readonly row: DayRow
  readonly date: string
  readonly start?: Date
  readonly end?: Date
}

/** Returns a day that has data. */
export function dayOf(row: DayRow): Day | undefined {
  const { wellnessStartTimeGmt: start, wellnessEndTimeGmt: end, includesWellnessData } = row
  const { totalSteps, totalKilocalories, restingHeartRate } = row
  const hasAny = [start, end, totalSteps, totalKilocalories, restingHeartRate].some(isKnown)
  if (includesWellnessData === false || !hasAny) return undefined
  const times = { ...(isKnown(start) && { start: instantOf(start) }), ...(isKnown(end) && { end: instantOf(end) }) }
  return { row, date: dateOf(row.calendarDate), ...times }
}

/** A local midnight as if its clock were UTC's. */
const midnightOf = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** When a day begins and ends: at its local midnights where its row does not say so. */
export const timesOfDay = ({ date, start, end }: Day, offsets: Offsets) => ({
  startedAt: start ?? offsets.instantOf(midnightOf(date)),
  endedAt: end ?? offsets.instantOf(midnightOf(addDays(date, 1))),
})

/** Until when a day has figures, as far as its row says so. */
export const lastOf = ({ date, start, end }: Day): Date => end ?? start ?? midnightOf(date)

/** True if a day replaces another one of its date: it ends later, or has more steps. */
export const isBetterDay = (one: Day, other: Day): boolean => dayPrecedence(one) > dayPrecedence(other)

/** The day of an export is not over, so a later export has more of it. */
export const dayPrecedence = (day: Day): number => lastOf(day).getTime() / SECOND_MS + (day.row.totalSteps ?? 0) / 1e6

/** Clock times and weekdays as the person prefers them. */
import type { DisplayPreferences } from "../account/preferences.ts"
import { WEEKDAYS, type Weekday } from "../base/calendar-dates.ts"
import { DAY_MINUTES } from "../base/time-units.ts"
import type { Figure } from "../rest/insights.ts"
import type { TrendDay } from "../rest/trends.ts"
import { NONE } from "./numbers.ts"

type Clock = DisplayPreferences["clock"]

const NOON_HOUR = 12

/** A clock time on the preferred clock: "23:41" or "11:41 PM". @param time as in 23:41, or the local time of a record */
export function clockText(time: string, clock: Clock): string {
  const start = time.indexOf("T") + 1
  const text = time.slice(start, start + 5)
  if (clock === "24h") return text
  const hour = Number(text.slice(0, 2))
  return `${hour % NOON_HOUR === 0 ? NOON_HOUR : hour % NOON_HOUR}${text.slice(2)} ${hour < NOON_HOUR ? "AM" : "PM"}`
}

/** "23:41" or "11:41 PM". @param time as in 23:41, the local time of a record, or minutes after a local midnight */
export const formatClock = (time: string | number | null, clock: Clock): string =>
  time === null ? NONE : clockText(typeof time === "number" ? clockTime(time) : time, clock)

/** A mark of an axis of clock times: "21:00" or "9 PM", and "9:30" within the hour, because more does not fit beside an axis. */
export const clockTick = (minutes: number, clock: Clock): string =>
  formatClock(minutes, clock).replace(/:00(?= )|(?<!:00) [AP]M$/, "")

/** Minutes after a local midnight as a clock time: -29 is 23:31 of the evening before. */
function clockTime(minutes: number): string {
  const minuteOfDay = aroundTheClock(minutes)
  return `${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(Math.floor(minuteOfDay % 60))}`
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** Minutes from 0 to a day: -29 is 1411. */
export const aroundTheClock = (minutes: number): number => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES

/**
 * When a night began as clocks then showed it, in minutes beside the midnight at which its date begins. Its `start_minutes` are on the clock
 * of waking, which is another one after a change of clocks or a flight.
 */
export const bedtimeMinutes = ({ start_local: local, start_minutes: start }: Bedtime): number =>
  start + aroundTheClock(minutesOfTime(local.slice(11, 16)) - start + DAY_MINUTES / 2) - DAY_MINUTES / 2

type Bedtime = Pick<NonNullable<TrendDay["sleep"]>, "start_local" | "start_minutes">

/** Minutes after midnight of a clock time as in 23:41. */
export function minutesOfTime(time: Figure): number {
  const [hours = 0, minutes = 0] = String(time).split(":").map(Number)
  return hours * 60 + minutes
}

/** The weekdays from a first one on, by their names in answers. */
export function weekdaysFrom(first: DisplayPreferences["first_weekday"]): readonly Weekday[] {
  const at = firstWeekday(first)
  return [...WEEKDAYS.slice(at), ...WEEKDAYS.slice(0, at)]
}

/** The column that a calendar begins with: 0 for Monday to 6 for Sunday. */
export const firstWeekday = (first: DisplayPreferences["first_weekday"]): number => WEEKDAYS.indexOf(first)

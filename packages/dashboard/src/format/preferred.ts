// Figures and clock times as the person prefers them. `usePreferences` of ../api/preferences.ts has the preferences.
import { clockText, type DisplayPreferences, fahrenheitOf, preferredUnit } from "@restwell/client"
import { clockTime } from "./date.ts"
import { figure, NONE, signed } from "./number.ts"

type Units = DisplayPreferences["units"]
type Clock = DisplayPreferences["clock"]

/** "23:41" or "11:41 PM". @param time as in 23:41, the local time of a record, or minutes after a local midnight */
export const formatClock = (time: string | number | null, clock: Clock): string =>
  time === null ? NONE : clockText(typeof time === "number" ? clockTime(time) : time, clock)

/** A mark of an axis of clock times: "21:00" or "9 PM", and "9:30" within the hour, because more does not fit beside an axis. */
export const clockTick = (minutes: number, clock: Clock): string =>
  formatClock(minutes, clock).replace(/:00(?= )|(?<!:00) [AP]M$/, "")

const KILOMETER_METERS = 1000

/** "8.0 km" or "5.0 mi" */
export function formatDistance(meters: number | null, units: Units): string {
  if (meters === null) return NONE
  if (units === "metric") return `${figure(meters / KILOMETER_METERS, 1)} km`
  return written(meters, "m", units)
}

/** "66.5 kg" or "146.6 lb" */
export const formatWeight = (kilograms: number | null, units: Units): string =>
  kilograms === null ? NONE : written(kilograms, "kg", units)

/** "33.6 °C" or "92.5 °F" */
export function formatTemperature(celsius: number | null, units: Units): string {
  if (celsius === null) return NONE
  return units === "metric" ? `${figure(celsius, 1)} °C` : `${figure(fahrenheitOf(celsius), 1)} °F`
}

/** A deviation with its sign: "+0.3 °C" or "+0.5 °F" */
export function formatTemperatureChange(celsius: number | null, units: Units): string {
  if (celsius === null) return NONE
  const { unit, factor } = preferredUnit("C", units)
  return `${signed(celsius * factor)} °${unit}`
}

function written(value: number, apiUnit: string, units: Units): string {
  const { unit, factor } = preferredUnit(apiUnit, units)
  return `${figure(value * factor, 1)} ${unit}`
}

const WEEKDAYS: Readonly<Record<DisplayPreferences["first_weekday"], number>> = { monday: 0, saturday: 5, sunday: 6 }

/** The column that a calendar begins with: 0 for Monday to 6 for Sunday, as `weekdayOf` counts. */
export const firstWeekday = (first: DisplayPreferences["first_weekday"]): number => WEEKDAYS[first]

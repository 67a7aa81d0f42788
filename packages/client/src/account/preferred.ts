/** Figures and clock times as a person prefers them. Every program that shows one takes the conversion from here. */
import { round } from "../rest/rounding.ts"
import type { DisplayPreferences } from "./preferences.ts"

type Units = DisplayPreferences["units"]
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

/** A unit that figures are written in, and what a figure is multiplied by. */
export interface PreferredUnit {
  readonly unit: string
  readonly factor: number
  /** Decimals of a figure. Left out for units of the API, whose figures have their own. */
  readonly decimals?: number
}

/** A mile has 1609.344 metres, and a pound 0.45359237 kilograms: international yard and pound agreement of 1959. */
const IMPERIAL: Readonly<Record<string, PreferredUnit>> = {
  m: { unit: "mi", factor: 1 / 1609.344, decimals: 2 },
  kg: { unit: "lb", factor: 1 / 0.45359237, decimals: 1 },
  C: { unit: "F", factor: 1.8, decimals: 1 },
}

/** How amounts and differences of a unit of the API are written. A temperature that is no difference is {@link fahrenheitOf}. */
export const preferredUnit = (unit: string, units: Units): PreferredUnit =>
  (units === "imperial" ? IMPERIAL[unit] : undefined) ?? { unit, factor: 1 }

/** An amount or a difference of the API in the preferred unit. @param more decimals that it has beyond a value's */
export function preferredAmount(value: number, unit: string, units: Units, more = 0): number {
  const { factor, decimals } = preferredUnit(unit, units)
  return decimals === undefined ? value : round(value * factor, decimals + more)
}

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** The weekdays from a first one on, by their names in answers. */
export function weekdaysFrom(first: DisplayPreferences["first_weekday"]): readonly string[] {
  const at = WEEKDAYS.indexOf(first)
  return [...WEEKDAYS.slice(at), ...WEEKDAYS.slice(0, at)]
}

/** A temperature in degrees Fahrenheit. */
export const fahrenheitOf = (celsius: number): number => celsius * 1.8 + 32

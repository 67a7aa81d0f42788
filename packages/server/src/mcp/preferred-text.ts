import {
  clockText,
  type DisplayPreferences,
  type Figure,
  fahrenheitOf,
  preferredAmount,
  preferredUnit,
  round,
  type SeriesType,
} from "@restwell/client"

/** Times as in 23:41, and the local times of records, which have an offset. */
const TIME = /^(?:\d{4}-\d{2}-\d{2}T)?\d{2}:\d{2}(?::\d{2}(?:\.\d+)?[+-]\d{2}:\d{2})?$/

/** An answer for a text: every clock time and local time of it on the person's clock. */
export function onClock<Body>(body: Body, clock: DisplayPreferences["clock"]): Body
export function onClock(body: unknown, clock: DisplayPreferences["clock"]): unknown {
  if (typeof body === "string") return TIME.test(body) ? clockText(body, clock) : body
  if (Array.isArray(body)) return body.map((part) => onClock(part, clock))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, onClock(part, clock)]))
}

type Units = DisplayPreferences["units"]

/** "12044 m", "7.48 mi". @param unit null for counts */
export const amountText = (value: number, unit: string | null, units: Units): string =>
  unit === null ? String(value) : `${preferredAmount(value, unit, units)} ${preferredUnit(unit, units).unit}`

/** A figure in the person's unit, which stands elsewhere. Clock times and missing figures stay as they are. */
export const inUnit = <Value extends Figure | null>(value: Value, unit: string | null, units: Units): Value | number =>
  typeof value !== "number" || unit === null ? value : preferredAmount(value, unit, units)

/** A temperature that is no difference. */
export const temperatureIn = (celsius: number | null, units: Units): number | null =>
  celsius === null || units === "metric" ? celsius : round(fahrenheitOf(celsius), 1)

/** A value of a series in the person's unit. @param unit null for counts */
export const seriesFigure = (type: SeriesType, unit: string | null, value: number, units: Units): number | null =>
  type === "skin_temperature" ? temperatureIn(value, units) : inUnit(value, unit, units)

const FOOT_METERS = 0.3048
const INCHES = 12

/** "height m 1.83", "height 6 ft 0 in" */
export function heightText(meters: number, units: Units): string {
  if (units === "metric") return `height m ${meters}`
  const inches = round((meters / FOOT_METERS) * INCHES, 0)
  return `height ${Math.floor(inches / INCHES)} ft ${inches % INCHES} in`
}

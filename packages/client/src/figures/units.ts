/** The units that figures are written in. Those of the API are metric. */
import type { DisplayPreferences } from "../account/preferences.ts"
import type { Figure } from "../rest/insights.ts"
import { round } from "../rest/rounding.ts"
import type { SeriesType } from "../rest/series.ts"
import { figure, NONE, signed } from "./numbers.ts"

export type Units = DisplayPreferences["units"]

/** A unit that figures are written in, and what a figure of the API is multiplied by. */
export interface WrittenUnit {
  readonly unit: string
  readonly factor: number
  /** Decimals of a figure. Left out for units of the API, whose figures have their own. */
  readonly decimals?: 1 | 2
}

/** A mile has 1609.344 metres, and a pound 0.45359237 kilograms: international yard and pound agreement of 1959. */
const IMPERIAL: Readonly<Record<string, WrittenUnit>> = {
  m: { unit: "mi", factor: 1 / 1609.344, decimals: 2 },
  kg: { unit: "lb", factor: 1 / 0.45359237, decimals: 1 },
  C: { unit: "F", factor: 1.8, decimals: 1 },
}

const KILOMETERS: WrittenUnit = { unit: "km", factor: 1 / 1000, decimals: 2 }

/** The unit of texts with REST's own figures, as assistants read them. A temperature that is no difference is {@link temperatureIn}. */
export const preferredUnit = (unit: string, units: Units): WrittenUnit =>
  (units === "imperial" ? IMPERIAL[unit] : undefined) ?? { unit, factor: 1 }

/** The unit that people read on a page, where metres of a distance are kilometres. */
export const pageUnit = (unit: string, units: Units): WrittenUnit =>
  unit === "m" && units === "metric" ? KILOMETERS : preferredUnit(unit, units)

const UNIT_TEXTS: Readonly<Record<string, string>> = { C: "°C", F: "°F", "/min": "a minute" }

/** A unit in a text: "°C", "a minute", "bpm". */
export const unitText = (unit: string): string => UNIT_TEXTS[unit] ?? unit

/** "64 ms", "14.6 a minute", and a figure without a unit as it is. */
export const withUnit = (text: string, unit: string | null): string =>
  unit === null ? text : `${text} ${unitText(unit)}`

/** A figure of REST in the person's unit, which stands elsewhere. Clock times and missing figures stay as they are. */
export const inUnit = <Value extends Figure | null>(
  value: Value,
  unit: string | null,
  units: Units,
): Value | number => {
  if (typeof value !== "number" || unit === null) return value
  const { factor, decimals } = preferredUnit(unit, units)
  return decimals === undefined ? value : round(value * factor, decimals)
}

/** A temperature that is no difference. */
export const temperatureIn = (celsius: number | null, units: Units): number | null =>
  celsius === null || units === "metric" ? celsius : round(celsius * 1.8 + 32, 1)

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

/** "8.0 km", "5.0 mi" or "66.5 kg" at first sight. A dash without a value. @param unit of the API */
export function amountAtFirstSight(value: number | null, unit: "m" | "kg", units: Units): string {
  if (value === null) return NONE
  const { unit: written, factor } = pageUnit(unit, units)
  return withUnit(figure(value * factor, 1), written)
}

/** "33.6 °C" or "92.5 °F" */
export const temperatureText = (celsius: number, units: Units): string =>
  withUnit(figure(temperatureIn(celsius, units), 1), preferredUnit("C", units).unit)

/** A deviation with its sign: "+0.3 °C" or "+0.5 °F" */
export function temperatureChangeText(celsius: number | null, units: Units): string {
  if (celsius === null) return NONE
  const { unit, factor } = preferredUnit("C", units)
  return withUnit(signed(celsius * factor), unit)
}

const KILOMETRE_METERS = 1_000
const MINUTE_SECONDS = 60

interface Paced {
  readonly sport_type: string
  readonly duration_hours: number
  readonly distance_meters: number | null
  readonly pace_seconds_per_km: number | null
}

/** "5:24 /km", "8:41 /mi", and of cycling "28.4 km an hour". Undefined of other sports, and without a distance. */
export function paceText(workout: Paced, units: Units): string | undefined {
  const { sport_type: sport, duration_hours: hours, distance_meters: meters, pace_seconds_per_km: pace } = workout
  const { unit, factor } = pageUnit("m", units)
  if (sport === "cycling" && meters !== null && meters > 0 && hours > 0)
    return `${figure((meters * factor) / hours, 1)} ${unit} an hour`
  if (pace === null) return undefined
  const seconds = round(pace / KILOMETRE_METERS / factor, 0)
  return `${Math.floor(seconds / MINUTE_SECONDS)}:${String(seconds % MINUTE_SECONDS).padStart(2, "0")} /${unit}`
}

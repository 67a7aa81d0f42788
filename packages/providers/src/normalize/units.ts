// Units in many spellings, as exports and programs of phones write them, and what they are in the unit of a type. There is no other table.
import type { SeriesType } from "@restwell/client"
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import { entryOf } from "./entry-of.ts"

export type Convert = (value: number) => number
type Units = Readonly<Record<string, Convert>>

const same: Convert = (value) => value
const times =
  (factor: number): Convert =>
  (value) =>
    value * factor

/** Apple and some programs write a fraction under the unit %. No living person has 1 %. */
const percent: Convert = (value) => (value <= 1 ? value * 100 : value)
const fahrenheit: Convert = (value) => ((value - 32) * 5) / 9
const kelvin: Convert = (value) => value - 273.15

const sameIn = (...spellings: readonly string[]): Units => Object.fromEntries(spellings.map((unit) => [unit, same]))

const POUND = 0.453_592_37

const LENGTHS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  毫秒: 1,
  s: SECOND_MS,
  sec: SECOND_MS,
  min: MINUTE_MS,
  minutes: MINUTE_MS,
  分钟: MINUTE_MS,
  分鐘: MINUTE_MS,
  h: HOUR_MS,
  hr: HOUR_MS,
  hours: HOUR_MS,
  小时: HOUR_MS,
  小時: HOUR_MS,
}
const lengthsIn = (unitMs: number): Units =>
  Object.fromEntries(Object.entries(LENGTHS_MS).map(([unit, ms]) => [unit, times(ms / unitMs)]))

/** By what is measured. Spellings are in lower case, without spaces and dots, but for calories. Chinese and Portuguese are of phones. */
const UNITS = {
  /** A minute. */
  rate: {
    ...sameIn("bpm", "count/min", "/min", "counts/min", "beats/min", "breaths/min", "br/min", "1/min"),
    ...sameIn("次/分", "次/分钟", "次/分鐘", "contagem/min"),
    "count/s": times(60),
  },
  milliseconds: lengthsIn(1),
  percent: { "%": percent, percent, "": percent, fraction: times(100) },
  celsius: {
    ...sameIn("c", "degc", "°c"),
    f: fahrenheit,
    degf: fahrenheit,
    "°f": fahrenheit,
    k: kelvin,
  },
  steps: sameIn("count", "steps", "step"),
  floors: sameIn("count", "floors", "flights"),
  /**
   * Kilocalories. The large calorie has a capital letter.
   * @see https://developer.apple.com/documentation/healthkit/hkunit/largecalorie()
   */
  energy: {
    ...sameIn("kcal", "Cal", "千卡", "大卡"),
    cal: times(1 / 1_000),
    kj: times(1 / 4.184),
    千焦: times(1 / 4.184),
    j: times(1 / 4_184),
  },
  metres: {
    ...sameIn("m", "米", "公尺"),
    km: times(1_000),
    公里: times(1_000),
    千米: times(1_000),
    cm: times(1 / 100),
    mi: times(1_609.344),
    yd: times(0.9144),
    ft: times(0.3048),
    in: times(0.0254),
  },
  minutes: lengthsIn(MINUTE_MS),
  points: sameIn("points", ""),
  kilograms: {
    ...sameIn("kg", "千克", "公斤"),
    g: times(1 / 1_000),
    lb: times(POUND),
    lbs: times(POUND),
    oz: times(POUND / 16),
    st: times(14 * POUND),
  },
  pressure: { mmhg: same, kpa: times(7.500_616_83) },
  oxygenUptake: {
    ...sameIn("ml/kg/min", "ml/(kg*min)", "ml/kg*min", "ml/min*kg", "ml/min/kg"),
    "l/min*kg": times(1_000),
  },
} as const satisfies Readonly<Record<string, Units>>

/** What is measured. The unit in which it is stored is its name, or the first of its spellings. */
export type Measure = keyof typeof UNITS

const MEASURES: Readonly<Record<Exclude<SeriesType, "sleep_stages">, Measure>> = {
  heart_rate: "rate",
  respiratory_rate: "rate",
  walking_heart_rate: "rate",
  hrv: "milliseconds",
  spo2: "percent",
  body_fat: "percent",
  skin_temperature: "celsius",
  steps: "steps",
  floors: "floors",
  active_energy: "energy",
  distance: "metres",
  exercise_minutes: "minutes",
  stress: "points",
  weight: "kilograms",
  blood_pressure_systolic: "pressure",
  blood_pressure_diastolic: "pressure",
  vo2max: "oxygenUptake",
}

/** Returns what converts a unit. Undefined for one that is not known. @param unit as written */
export function conversionOf(measure: Measure, unit: string): Convert | undefined {
  const units: Units = UNITS[measure]
  // Most units are written as they are here.
  const known = entryOf(units, unit)
  if (known) return known
  const spelling = unit.normalize("NFKC").replaceAll(/[\s.]/g, "").replaceAll("·", "*")
  return entryOf(units, spelling) ?? entryOf(units, spelling.toLowerCase())
}

/** Letters that a localised unit consists of: 步, Schritte, pasos. A count has no other unit that it could be mistaken for. */
const IS_WORD = /^\p{L}+$/u

/** Returns a value in the unit of its type. Undefined for an unknown unit. @param unit as written; null for the type's own */
export function inUnitOf(
  type: Exclude<SeriesType, "sleep_stages">,
  value: number,
  unit: string | null,
): number | undefined {
  const measure = MEASURES[type]
  if (unit === null) return measure === "percent" ? percent(value) : value
  const isCount = measure === "steps" || measure === "floors"
  const convert = conversionOf(measure, unit) ?? (isCount && IS_WORD.test(unit.trim()) ? same : undefined)
  return convert?.(value)
}

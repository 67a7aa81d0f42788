import type { SeriesType } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { entryOf } from "../normalize/entry-of.ts"
import { isAfterNoon } from "./day-periods.ts"
import { westernDigits } from "./text-numbers.ts"

// Instants as programs on phones write them.

export interface PushedInstant {
  /** Epoch milliseconds. */
  readonly ms: number
  /** Minutes east of UTC. Undefined for Z, which names no local clock. */
  readonly utcOffsetMinutes?: number
}

/** Phones that write the half of the day before the time have the offset behind the date too. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?: ([+-]\d\d:?\d\d) |[T ])/
/** The half of the day is before the time or behind it. */
const CLOCK = /^(\D{0,40}?)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?([^\d+-]{0,40}?)\s?(Z|[+-]\d\d:?(?:\d\d)?)$/
/** Longer texts are no time. */
const LONGEST = 100
/** Kiritimati and Baker Island. */
const [MOST_EAST, MOST_WEST] = [14 * 60, -12 * 60]

/**
 * Returns the instant of a text such as `2026-11-21T03:10:00+01:00`, `2026-11-21 03:10:00 +0100` or `2026-11-21 3:10:00 AM +0100`, whatever
 * kind of space it has, and in the words and digits of any region. `2026-05-22 +1000 上午1:20:09 +1000` has its offset twice.
 * Undefined for a text without an offset or with two of them, for a time that no clock shows, and for a word that may stand for either
 * half of the day.
 */
export function pushedInstant(text: string): PushedInstant | undefined {
  if (text.length > LONGEST) return undefined
  // Marks of direction stand between words of Arabic and Hebrew.
  const plain = westernDigits(text.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""))
    .replaceAll("\u2212", "-")
    .trim()
  const date = DATE.exec(plain)
  const clock = date && CLOCK.exec(plain.slice(date[0].length))
  if (!date || !clock) return undefined
  const [, year, month, day, zoneOfDate] = date
  const [, before = "", hours, minutes, seconds = "0", fraction = "0", behind = "", zone = ""] = clock
  const hour = hourOf(Number(hours), `${before.trim()}${behind.trim()}`)
  const utcOffset = offsetOf(zone)
  if (zoneOfDate !== undefined && offsetOf(zoneOfDate) !== utcOffset) return undefined
  if (hour === undefined || utcOffset === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds))
  // The 31st of a shorter month is no date.
  if (new Date(local).getUTCDate() !== Number(day)) return undefined
  const ms = local + Math.floor(Number(`0.${fraction}`) * 1_000) - utcOffset * MINUTE_MS
  return { ms, ...(zone !== "Z" && { utcOffsetMinutes: utcOffset }) }
}

/** 12 AM is midnight, and 12 PM is noon. Some regions count from 0 to 11. */
function hourOf(hour: number, half: string): number | undefined {
  if (half === "") return hour <= 23 ? hour : undefined
  const isSecond = isAfterNoon(half)
  return hour > 12 || isSecond === undefined ? undefined : (hour % 12) + (isSecond ? 12 : 0)
}

function offsetOf(zone: string): number | undefined {
  if (zone === "Z") return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(":", "") || "0")
  const offset = zone.startsWith("-") ? -minutes : minutes
  return offset <= MOST_EAST && offset >= MOST_WEST ? offset : undefined
}

// Units that programs on phones write, in many spellings, and what they are in the unit of a type.

const LB = 0.453_592_37
const IDENTITY: Conversion = (value) => value
type Conversion = (value: number) => number

const times =
  (factor: number): Conversion =>
  (value) =>
    value * factor

/** Some programs write a fraction with the unit %. No living person has 1 %. */
const PERCENT: Conversion = (value) => (value <= 1 ? value * 100 : value)

const RATES = ["bpm", "count/min", "/min", "counts/min", "beats/min", "breaths/min", "br/min", "1/min"].concat(
  // Chinese and Portuguese, as phones write them.
  ["次/分", "次/分钟", "次/分鐘", "contagem/min"],
)
const ratesAreEqual = Object.fromEntries(RATES.map((unit) => [unit, IDENTITY]))
const PERCENTS = { "%": PERCENT, percent: PERCENT, "": PERCENT, fraction: times(100) }
const PRESSURES = { mmhg: IDENTITY, kpa: times(7.500_617) }

/** Spellings are in lower case, without spaces and dots. */
const UNITS: Readonly<Record<Exclude<SeriesType, "sleep_stages">, Readonly<Record<string, Conversion>>>> = {
  heart_rate: ratesAreEqual,
  respiratory_rate: ratesAreEqual,
  hrv: { ms: IDENTITY, 毫秒: IDENTITY, s: times(1_000) },
  spo2: PERCENTS,
  body_fat: PERCENTS,
  skin_temperature: {
    c: IDENTITY,
    degc: IDENTITY,
    "°c": IDENTITY,
    f: (value) => (value - 32) / 1.8,
    degf: (value) => (value - 32) / 1.8,
    "°f": (value) => (value - 32) / 1.8,
    k: (value) => value - 273.15,
  },
  steps: { count: IDENTITY, steps: IDENTITY, step: IDENTITY },
  active_energy: {
    kcal: IDENTITY,
    cal: IDENTITY,
    千卡: IDENTITY,
    大卡: IDENTITY,
    kj: times(1 / 4.184),
    千焦: times(1 / 4.184),
    j: times(1 / 4_184),
  },
  distance: {
    m: IDENTITY,
    米: IDENTITY,
    公尺: IDENTITY,
    km: times(1_000),
    公里: times(1_000),
    千米: times(1_000),
    mi: times(1_609.344),
    ft: times(0.3048),
    yd: times(0.9144),
  },
  floors: { count: IDENTITY, floors: IDENTITY, flights: IDENTITY },
  exercise_minutes: {
    min: IDENTITY,
    minutes: IDENTITY,
    分钟: IDENTITY,
    分鐘: IDENTITY,
    s: times(1 / 60),
    hr: times(60),
    h: times(60),
  },
  stress: { points: IDENTITY, "": IDENTITY },
  walking_heart_rate: ratesAreEqual,
  weight: {
    kg: IDENTITY,
    千克: IDENTITY,
    公斤: IDENTITY,
    g: times(1 / 1_000),
    lb: times(LB),
    lbs: times(LB),
    st: times(14 * LB),
  },
  blood_pressure_systolic: PRESSURES,
  blood_pressure_diastolic: PRESSURES,
  vo2max: { "ml/kg/min": IDENTITY, "ml/(kg*min)": IDENTITY, "ml/min*kg": IDENTITY, "ml/min/kg": IDENTITY },
}

/** Letters that a localised unit consists of: 步, Schritte, pasos. A count has no other unit that it could be mistaken for. */
const IS_WORD = /^\p{L}+$/u

/**
 * Returns a value in the unit of its type. Undefined for an unknown unit. Apple's Cal is a kilocalorie.
 * @param unit as written; null for the type's own
 */
export function inUnitOf(
  type: Exclude<SeriesType, "sleep_stages">,
  value: number,
  unit: string | null,
): number | undefined {
  if (unit === null) return type === "spo2" || type === "body_fat" ? PERCENT(value) : value
  const spelling = unit.normalize("NFKC").toLowerCase().replaceAll(/[\s.]/g, "").replaceAll("·", "*")
  const convert =
    entryOf(UNITS[type], spelling) ??
    ((type === "steps" || type === "floors") && IS_WORD.test(spelling) ? IDENTITY : undefined)
  return convert?.(value)
}

// Instants as programs on phones write them.
import { isDate } from "@restwell/client/calendar-dates"
import { MINUTE_MS } from "@restwell/client/time-units"
import { westernDigits } from "../normalize/text-numbers.ts"
import { isAfterNoon } from "./day-periods.ts"

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
  if (!isDate(`${year}-${month}-${day}`)) return undefined
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

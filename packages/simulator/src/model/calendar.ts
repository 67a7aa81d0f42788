/**
 * Local days and clock times. A day is the number of days since 1970-01-01. Its zone defines its instants, so a day with
 * a clock change has 23 or 25 hours.
 */
import { DAY_MS, MINUTE_MS } from "./units.ts"

/** Returns the instant (epoch ms) of a local time, given in minutes from midnight; negative on the evening before. */
export function localInstantMs(zone: string, day: number, minutesFromMidnight: number): number {
  const local = dateOf(day)
    .toPlainDateTime()
    .add({ seconds: Math.round(minutesFromMidnight * 60) })
  return local.toZonedDateTime(zone).epochMilliseconds
}

/** Returns the local day of an instant in a zone. */
export function localDay(zone: string, instantMs: number): number {
  return Math.floor((instantMs + offsetMinutes(zone, instantMs) * MINUTE_MS) / DAY_MS)
}

/** Offset from UTC in minutes, east positive. */
export function offsetMinutes(zone: string, instantMs: number): number {
  const offset = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone).offsetNanoseconds
  return Math.round(offset / 60e9)
}

/** Monday is 0, Sunday is 6. */
export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

/** Fraction of the year: 0 on 1 January, below 1 on 31 December. */
export function yearFraction(day: number): number {
  const date = dateOf(day)
  return (date.dayOfYear - 1) / date.daysInYear
}

/** Age in whole years on a day. */
export function ageYears(bornInYear: number, day: number): number {
  return dateOf(day).year - bornInYear
}

function dateOf(day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from("1970-01-01").add({ days: day })
}

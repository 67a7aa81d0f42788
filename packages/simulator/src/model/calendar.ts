/**
 * Local days and clock times. A day is counted in whole days since 1970-01-01; its zone decides which instants it covers,
 * so a day of a clock change is 23 or 25 hours long.
 */
import { DAY_MS, MINUTE_MS } from "./units.ts"

/** Instant (epoch ms) of a local clock time, given as minutes from midnight of the day; negative is the evening before. */
export function localInstantMs(zone: string, day: number, minutesFromMidnight: number): number {
  const local = dateOf(day)
    .toPlainDateTime()
    .add({ seconds: Math.round(minutesFromMidnight * 60) })
  return local.toZonedDateTime(zone).epochMilliseconds
}

/** The local day that an instant falls on in a zone. */
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

/** Position in the year, 0 on the first of January, below 1 on the last of December. */
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

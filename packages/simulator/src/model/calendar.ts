/**
 * Local days and clock times. A day is the number of days since 1970-01-01. Its zone defines its instants, so a day with
 * a clock change has 23 or 25 hours.
 */

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

/** Durations in milliseconds and small arithmetic for the model. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(maximum, Math.max(minimum, value))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function standardDeviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** Returns a function that computes the value of each day once. */
export function memoized<T>(compute: (day: number) => T): (day: number) => T {
  const known = new Map<number, T>()
  return (day) => {
    const found = known.get(day)
    if (found !== undefined) return found
    const value = compute(day)
    known.set(day, value)
    return value
  }
}

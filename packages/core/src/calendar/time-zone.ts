import type { Clock } from "./clock.ts"

/** Where a person is: the newest record's offset, or without records the account's time zone. DESIGN section 4. */
export interface TimeZone {
  /** Minutes east of UTC, from the newest record. */
  readonly utcOffsetMinutes: number | null
  /** IANA name. It counts only without an offset, and UTC counts without either. */
  readonly timeZone: string | null
}

const MINUTE_MS = 60_000

/** Today's date where the person is, YYYY-MM-DD. */
export function todayIn({ utcOffsetMinutes, timeZone }: TimeZone, now: Date): string {
  if (utcOffsetMinutes !== null) return utcDateOf(new Date(now.getTime() + utcOffsetMinutes * MINUTE_MS))
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  return instant
    .toZonedDateTimeISO(timeZone ?? "UTC")
    .toPlainDate()
    .toString()
}

/** The UTC instant at which a date begins there. */
export function midnightIn({ utcOffsetMinutes, timeZone }: TimeZone, date: string): Date {
  const midnight = Temporal.PlainDate.from(date).toZonedDateTime(
    utcOffsetMinutes === null ? (timeZone ?? "UTC") : "UTC",
  )
  return new Date(midnight.epochMilliseconds - (utcOffsetMinutes ?? 0) * MINUTE_MS)
}

/** The UTC date at an instant. */
export const utcDateOf = (instant: Date): string => instant.toISOString().slice(0, 10)

/** Clocks of two machines of one service differ by less. A stored time further ahead was written under a wrong clock. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS

/** True when a stored time of the past comes from a clock that was ahead. */
export const isAhead = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + CLOCK_DIFFERENCE_MS

/** True when a stored time is older than `ageMs`, missing, or from a clock that was ahead. */
export function isOlderThan(at: Date | null, ageMs: number, clock: Clock): boolean {
  const now = clock.now()
  return at === null || at.getTime() < now.getTime() - ageMs || isAhead(at, now)
}

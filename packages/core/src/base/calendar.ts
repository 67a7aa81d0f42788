import { DATE_BOUNDS, DAYS, type HealthQuery, type SummaryResponse } from "@restwell/client"
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"

/** The time, as an argument. Only the composition root reads the real one. */
export interface Clock {
  now(): Date
}

/** Where a person is: the newest record's offset, or without records the account's time zone. */
export interface TimeZone {
  /** Minutes east of UTC, from the newest record. */
  readonly utcOffsetMinutes: number | null
  /** IANA name. It counts only without an offset, and UTC counts without either. */
  readonly timeZone: string | null
}

/** Today's date where the person is, YYYY-MM-DD. */
export function todayIn({ utcOffsetMinutes, timeZone }: TimeZone, now: Date): string {
  if (utcOffsetMinutes !== null) return utcDateOf(new Date(now.getTime() + utcOffsetMinutes * MINUTE_MS))
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  return instant
    .toZonedDateTimeISO(timeZone ?? "UTC")
    .toPlainDate()
    .toString()
}

/** The clock where the person is, as in 02:18. */
export function clockIn({ utcOffsetMinutes, timeZone }: TimeZone, now: Date): string {
  if (utcOffsetMinutes !== null)
    return new Date(now.getTime() + utcOffsetMinutes * MINUTE_MS).toISOString().slice(11, 16)
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  return instant
    .toZonedDateTimeISO(timeZone ?? "UTC")
    .toPlainTime()
    .toString({ smallestUnit: "minute" })
}

/** The UTC instant at which a date begins there. */
export function midnightIn({ utcOffsetMinutes, timeZone }: TimeZone, date: string): Date {
  const midnight = Temporal.PlainDate.from(date).toZonedDateTime(
    utcOffsetMinutes === null ? (timeZone ?? "UTC") : "UTC",
  )
  return new Date(midnight.epochMilliseconds - (utcOffsetMinutes ?? 0) * MINUTE_MS)
}

/** From this instant on, a clock has this offset. */
export interface ClockChange {
  /** Epoch milliseconds. */
  readonly atMs: number
  /** East of UTC. */
  readonly minutes: number
}

/** The offset where the person is from one instant to another, and its changes meanwhile where it is that of the account's time zone. */
export function clockChangesIn({ utcOffsetMinutes, timeZone }: TimeZone, from: Date, to: Date): ClockChange[] {
  if (utcOffsetMinutes !== null) return [{ atMs: from.getTime(), minutes: utcOffsetMinutes }]
  const changes: ClockChange[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(
    timeZone ?? "UTC",
  )
  for (; at && at.epochMilliseconds <= to.getTime(); at = at.getTimeZoneTransition("next"))
    changes.push({ atMs: at.epochMilliseconds, minutes: at.offsetNanoseconds / NANOSECONDS_PER_MINUTE })
  return changes
}

const NANOSECONDS_PER_MINUTE = 60_000_000_000

/** Clocks of two machines of one service differ by less. A stored time further ahead was written under a wrong clock. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS

/** True when a stored time of the past comes from a clock that was ahead. */
export const isAhead = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + CLOCK_DIFFERENCE_MS

/** True when a stored time is older than `ageMs`, missing, or from a clock that was ahead. */
export function isOlderThan(at: Date | null, ageMs: number, clock: Clock): boolean {
  const now = clock.now()
  return at === null || at.getTime() < now.getTime() - ageMs || isAhead(at, now)
}

/** Calendar dates, both inclusive, YYYY-MM-DD. */
export interface DateRange {
  readonly from: string
  readonly to: string
}

/** Every date that a record may have. */
export const ALL_DATES: DateRange = { from: DATE_BOUNDS.min, to: DATE_BOUNDS.max }

/** The number of dates, both ends included. */
export const countDates = ({ from, to }: DateRange): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: "days" }).days + 1

/** Every date of the range, the oldest first. */
export const datesOf = (range: DateRange): string[] =>
  Array.from({ length: countDates(range) }, (_, index) => addDays(range.from, index))

type QueriedDates = Pick<HealthQuery, "days" | "start_date" | "end_date">

/** The dates that a query selects. Dates win over `days`, and a missing end is today. */
export function resolveDateRange(query: QueriedDates, today: string): DateRange {
  const to = query.end_date ?? today
  return { from: query.start_date ?? addDays(to, 1 - (query.days ?? DAYS.default)), to }
}

/**
 * Dates that contain the query's range wherever the person is. Offsets stay below 24 hours, so today there is the UTC date, the
 * date before or the date after.
 */
export const widestDateRange = (query: QueriedDates, utcDate: string): DateRange => ({
  from: resolveDateRange(query, addDays(utcDate, -1)).from,
  to: resolveDateRange(query, addDays(utcDate, 1)).to,
})

/**
 * The period of a summary: its dates, and the UTC instants of local midnight at the first date and after the last.
 * @param midnight epoch milliseconds at which a date begins. Dates of the past may have had another offset than today.
 */
export const periodOf = (range: DateRange, midnight: (date: string) => number): SummaryResponse["period"] => ({
  start: instantText(midnight(range.from)),
  end: instantText(midnight(addDays(range.to, 1))),
  start_date: range.from,
  end_date: range.to,
  days: countDates(range),
})

/** 00 to 99. */
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))

const twoDigits = (number: number): string => TWO_DIGITS[number] ?? String(number)

/** The offset as ISO 8601 writes it: `+01:00`, and `+00:00` for UTC. */
export function offsetText(utcOffsetMinutes: number): string {
  const distance = Math.abs(utcOffsetMinutes)
  return `${utcOffsetMinutes < 0 ? "-" : "+"}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
}

/** Dates by day number, and how many are kept: each is part of two times of two records. */
const datesByDay = new Map<number, string>()
const MOST_DATES = 20_000

function dateText(day: number): string {
  const known = datesByDay.get(day)
  if (known !== undefined) return known
  const text = utcDateOf(new Date(day * DAY_MS))
  if (datesByDay.size >= MOST_DATES) datesByDay.clear()
  datesByDay.set(day, text)
  return text
}

/** Date and time of the day without a zone, to the second. */
function clockText(clockMs: number): string {
  const day = Math.floor(clockMs / DAY_MS)
  const seconds = Math.floor((clockMs - day * DAY_MS) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${dateText(day)}T${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

/*
 * Arithmetic, because every record of an answer has four of these times. Temporal takes many times as long, and `Date.toISOString` was
 * a quarter of the processor time of a read of 90 nights.
 */

/** An instant as ISO 8601 in UTC, to the millisecond: `2026-11-21T21:23:08.120Z`. @param instantMs milliseconds since the epoch */
export function instantText(instantMs: number): string {
  const milliseconds = instantMs - Math.floor(instantMs / 1000) * 1000
  return `${clockText(instantMs)}.${milliseconds < 100 ? "0" : ""}${twoDigits(milliseconds)}Z`
}

/**
 * An instant on the clock of an offset, to the second: `2026-11-21T22:23:08+01:00`.
 * @param instantMs milliseconds since the epoch
 */
export const localTime = (instantMs: number, utcOffsetMinutes: number): string =>
  clockText(instantMs + utcOffsetMinutes * MINUTE_MS) + offsetText(utcOffsetMinutes)

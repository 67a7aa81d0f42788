const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** 00 to 99. */
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))

const twoDigits = (number: number): string => TWO_DIGITS[number] ?? String(number)

/** The offset as ISO 8601 writes it: `+01:00`, and `+00:00` for UTC. */
function offsetText(utcOffsetMinutes: number): string {
  const distance = Math.abs(utcOffsetMinutes)
  return `${utcOffsetMinutes < 0 ? "-" : "+"}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
}

/** Dates by day number, and how many are kept: each is part of two times of two records. */
const datesByDay = new Map<number, string>()
const MOST_DATES = 20_000

function dateText(day: number): string {
  const known = datesByDay.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10)
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

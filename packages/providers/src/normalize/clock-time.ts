// Times as calendars and clocks write them. Date turns 30 February into 2 March, and 10:61 into 11:01.

/**
 * Returns the milliseconds of a date and a time as if the clock that showed them were UTC's. NaN for what no calendar or clock shows.
 * @param parts year, month from 1, day, hour, minute, second, millisecond
 */
export function clockMs(...parts: readonly number[]): number {
  const [year = Number.NaN, month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0] = parts
  const ms = Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
  const isDate = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= MOST_MONTHS
  const isTime = [hour, minute, second].every((part, index) => part >= 0 && part < (index === 0 ? HOURS : SIXTY))
  return isDate && isTime ? ms : Number.NaN
}

const MOST_MONTHS = 12
const HOURS = 24
const SIXTY = 60

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/

/** The milliseconds of `2026-11-18`, `2026-11-18 23:10` or `2026-11-18T23:10:00.25`, as `clockMs` gives them. */
export function writtenMs(text: string): number {
  const [matched, year, month, day, hour, minute, second, fraction = ""] = WRITTEN.exec(text) ?? []
  if (matched === undefined) return Number.NaN
  const parts = [year, month, day, hour, minute, second].map((part) => Number(part ?? 0))
  return clockMs(...parts, Math.floor(Number(`0.${fraction || 0}`) * 1_000))
}

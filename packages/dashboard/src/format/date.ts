// Dates of records are calendar dates without a time zone. Instants of the service (a sync, a key) are formatted in the reader's zone.

import { WEEKDAYS as NAMES } from "@restwell/client/calendar-dates"
import { capitalized } from "@restwell/client/figures"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { readersLocale } from "./locale.ts"

const LOCALE = readersLocale()

type Options = Intl.DateTimeFormatOptions

const plain = (options: Options, locale: Intl.Locale | string = LOCALE) =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options })

/** A date of the reader after a day of the week in the page's language. */
function afterWeekday(weekday: "long" | "short", options: Options): Pick<Intl.DateTimeFormat, "format"> {
  if (LOCALE.language === "en") return plain({ weekday, ...options })
  const [name, date] = [plain({ weekday }, "en"), plain(options)]
  return { format: (day) => `${name.format(day)}, ${date.format(day)}` }
}

const LONG = afterWeekday("long", { day: "numeric", month: "long" })
const SHORT = afterWeekday("short", { day: "numeric", month: "short" })
const MEDIUM = plain({ day: "numeric", month: "short", year: "numeric" })
const WEEKDAY = plain({ weekday: "long" }, "en")
const TICK = plain({ day: "numeric", month: "short" })
const MONTH = plain({ month: "short", year: "numeric" })
const FULL = afterWeekday("short", { day: "numeric", month: "short", year: "numeric" })

const midnight = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** "Friday, November 20" */
export const longDate = (date: string): string => LONG.format(midnight(date))
/** "Fri, Nov 20" */
export const shortDate = (date: string): string => SHORT.format(midnight(date))
/** "Nov 20, 2026" */
export const mediumDate = (date: string): string => MEDIUM.format(midnight(date))
/** "Friday" */
export const weekdayName = (date: string): string => WEEKDAY.format(midnight(date))
/** "Nov 20" */
export const tickDate = (date: string): string => TICK.format(midnight(date))
/** "Nov 20", or "Nov 20, 2025" where that is another year. @param end the last date of what it is a part of */
export const dateInYearOf = (date: string, end: string): string =>
  date.slice(0, 4) === end.slice(0, 4) ? tickDate(date) : mediumDate(date)
/** "Nov 2026" */
export const monthOf = (date: string): string => MONTH.format(midnight(date))
/** "Fri, Nov 20, 2026" */
export const fullDate = (date: string): string => FULL.format(midnight(date))

/** In the order of `weekdayOf`. */
export const WEEKDAYS: readonly string[] = NAMES.map(capitalized)

/** Returns 0 for Monday to 6 for Sunday. ISO 8601. */
export const weekdayOf = (date: string): number => (midnight(date).getUTCDay() + 6) % 7

const instantFormat = (hourCycle: "h12" | "h23") =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short", hourCycle })
const INSTANTS = { "12h": instantFormat("h12"), "24h": instantFormat("h23") } as const
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" })
const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short" })

/** "Nov 20, 2026, 07:02" or "Nov 20, 2026, 7:02 AM" in the reader's zone */
export const instantText = (instant: string, clock: keyof typeof INSTANTS): string =>
  INSTANTS[clock].format(new Date(instant))
/** "Nov 20, 2026" in the reader's zone */
export const instantDate = (instant: string): string => DAY.format(new Date(instant))
/** "Nov 20" in the reader's zone */
export const shortInstantDate = (instant: string): string => SHORT_DAY.format(new Date(instant))

const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
const STEPS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const

/** "4 minutes ago". @param now milliseconds since 1970 */
export function timeAgo(instant: string, now: number): string {
  const elapsedMs = Math.max(now - Date.parse(instant), 0)
  for (const [unit, length] of STEPS) if (elapsedMs >= length) return AGO.format(-Math.floor(elapsedMs / length), unit)
  return "just now"
}

/** How many days later the other date is. */
export const daysBetween = (date: string, later: string): number =>
  (midnight(later).getTime() - midnight(date).getTime()) / DAY_MS

/** Numbers, hours and minutes as people read them. */
import { round, wholeMinutes } from "../rest/rounding.ts"

/** Text of a missing value. The reason is next to it on the page. */
export const NONE = "–"

/** The dash of a range: an en dash after which no line breaks. */
export const TO = "\u2013\u2060"

/** How many decimals a number is written with. */
type Decimals = 0 | 1 | 2 | 3

const formatsOf = (locale: string) => ({
  fixed: ([0, 1, 2, 3] as const).map(
    (decimals) => new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  ),
  plain: new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }),
})

let formats = formatsOf("en")

/** Writes the numbers of a page as its reader does. What programs and assistants read has them in English. @param locale of BCP 47 */
export function writeNumbersIn(locale: string): void {
  formats = formatsOf(locale)
}

/** A number with a fixed number of decimals, rounded as REST rounds; a dash when missing. */
export const figure = (value: number | null, decimals: Decimals = 0): string =>
  value === null ? NONE : (formats.fixed[decimals]?.format(round(value, decimals)) ?? NONE)

/** A number with as many decimals as it has, at most this number: 1.8, 4.21, 12. */
export const plainFigure = (value: number, decimals: number): string => formats.plain.format(round(value, decimals))

/** A mark of an axis, with the decimals that the marks need: "61.0" beside "61.2". @param marks all of the axis */
export function markText(value: number, marks: readonly number[]): string {
  const needed = ([0, 1, 2] as const).find((decimals) =>
    marks.every((mark) => round(mark, decimals) === round(mark, 3)),
  )
  return figure(value, needed ?? 3).replace(/^-/, "\u2212")
}

/** A deviation with its sign and one decimal: "+0.3", "−0.2". */
export function signed(value: number | null): string {
  if (value === null) return NONE
  const sign = value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1"
  return sign + figure(Math.abs(value), 1)
}

/** Hours as "7 h 29 min". */
export const hoursText = (hours: number | null): string => (hours === null ? NONE : minutesText(wholeMinutes(hours)))

/** Whole minutes as "35 min", "7 h 29 min" or "−20 min". A bare "m" would be metres. */
export function minutesText(minutes: number): string {
  if (minutes < 0) return `\u2212${minutesText(-minutes)}`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
}

/** "31 minutes", "1 h 05 min" */
export const minutesWords = (minutes: number): string =>
  minutes < 60 ? plural(minutes, "minute") : minutesText(minutes)

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** A sentence whose figures and their units stay on one line. */
export const unbroken = (sentence: string): string =>
  sentence.replaceAll(/(?<=\d) (?=h\b|min|points|%)|(?<=\d h) (?=\d)/g, "\u00a0")

/** "1 request", "2 requests". @param many the plural, where it is not the noun with an s */
export const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${figure(count)} ${count === 1 ? noun : many}`

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

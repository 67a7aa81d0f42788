/** Text of a missing value. The reason is next to it on the page. */
export const NONE = "–"

const format = (decimals: number) =>
  new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
const FORMATS = { 0: format(0), 1: format(1) } as const

/** A number with a fixed number of decimals; a dash when missing. */
export const figure = (value: number | null, decimals: keyof typeof FORMATS = 0): string =>
  value === null ? NONE : FORMATS[decimals].format(value)

/** A deviation with its sign and one decimal: "+0.3", "−0.2". */
export function signed(value: number | null): string {
  if (value === null) return NONE
  const sign = value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1"
  return sign + figure(Math.abs(value), 1)
}

/** Hours as "7 h 29 m". */
export function hoursText(hours: number | null): string {
  if (hours === null) return NONE
  return minutesText(Math.round(hours * 60))
}

/** Whole minutes as "35 m" or "7 h 29 m". */
export const minutesText = (minutes: number): string =>
  minutes < 60 ? `${minutes} m` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`

/** "1 request", "2 requests" */
export const plural = (count: number, noun: string): string => `${figure(count)} ${noun}${count === 1 ? "" : "s"}`

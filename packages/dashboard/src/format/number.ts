/** What is shown where there is no value. Readers hear the reason beside it. */
export const NONE = "–"

const formats = [0, 1, 2].map(
  (decimals) => new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
)
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })

/** A figure with so many decimals; a dash for none. */
export const figure = (value: number | null, decimals: 0 | 1 | 2 = 0): string =>
  value === null ? NONE : (formats[decimals] ?? WHOLE).format(value)

/** "+0.3", "−0.2": with its sign, for deviations. */
export function signed(value: number | null, decimals: 0 | 1 | 2 = 1): string {
  if (value === null) return NONE
  const sign = value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1"
  return sign + figure(Math.abs(value), decimals)
}

/** Hours as "7 h 29 m". */
export function hoursText(hours: number | null): string {
  if (hours === null) return NONE
  const minutes = Math.round(hours * 60)
  return minutes < 60 ? `${minutes} m` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`
}

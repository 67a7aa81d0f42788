/** The number of dates up to today, or all dates. */
export type TrendDays = number | "all"

/** Most dates of one trend. */
const MOST_DAYS = 4_000

/** The period that a URL names, or else the usual one. */
export function daysOf(text: string | null, usual: TrendDays): TrendDays {
  if (text === "all") return text
  const days = Number(text ?? Number.NaN)
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS ? days : usual
}

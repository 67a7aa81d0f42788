import { circularMean, unwrap } from "./circular.ts"
import { type Weekday, weekdayOf } from "./day.ts"
import { type Series, valuesOf } from "./series.ts"

/**
 * Middle of sleep on days off minus that on working days, minutes, the shortest way around the clock. Null without one of the two.
 * @see Wittmann et al. 2006, Chronobiology International 23:497
 * @param midsleep minutes of the day, by date of waking
 */
export function socialJetlag(midsleep: Series, daysOff: readonly Weekday[]): number | null {
  const [off, working] = [true, false].map((isOff) =>
    valuesOf(midsleep.filter(({ day }) => daysOff.includes(weekdayOf(day)) === isOff)),
  )
  if (!off || !working || off.length === 0 || working.length === 0) return null
  return unwrap(circularMean(off) - circularMean(working), 0)
}

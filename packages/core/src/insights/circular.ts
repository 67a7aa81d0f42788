// Times of day are angles: 23:50 and 00:10 are twenty minutes apart, and their mean is midnight.
// Fisher 1993, Statistical Analysis of Circular Data, chapter 2.

export const MINUTES_PER_DAY = 1440
const RADIANS_PER_MINUTE = (2 * Math.PI) / MINUTES_PER_DAY
/** Below this length the resultant is calculation noise: the times point nowhere. */
const NO_LENGTH = 1e-9

/** A time of day, minutes from 0 to below 1440. */
export const wrap = (minutes: number): number => ((minutes % MINUTES_PER_DAY) + MINUTES_PER_DAY) % MINUTES_PER_DAY

/** Mean direction, and the length R of the mean resultant: 1 for equal times, 0 for times all around the clock. */
function resultantOf(minutes: readonly number[]): { readonly direction: number; readonly length: number } {
  let [sumCos, sumSin] = [0, 0]
  for (const minute of minutes) {
    sumCos += Math.cos(minute * RADIANS_PER_MINUTE)
    sumSin += Math.sin(minute * RADIANS_PER_MINUTE)
  }
  const length = Math.hypot(sumCos, sumSin) / minutes.length
  return { direction: Math.atan2(sumSin, sumCos) / RADIANS_PER_MINUTE, length }
}

/** The circular mean, minutes from 0 to below 1440. @param minutes times of day, at least one */
export const circularMean = (minutes: readonly number[]): number => wrap(resultantOf(minutes).direction)

/** Circular standard deviation, minutes. Null for fewer than two times, and for times all around the clock. */
export function circularDeviation(minutes: readonly number[]): number | null {
  const { length } = resultantOf(minutes)
  if (minutes.length < 2 || length < NO_LENGTH) return null
  // Rounding can make R a little larger than 1, and the square root of a negative number is none.
  return Math.sqrt(Math.max(0, -2 * Math.log(length))) / RADIANS_PER_MINUTE
}

/** The same time as minutes on a line, the shortest way from the centre: within 720 of it. */
export const unwrap = (minutes: number, centre: number): number =>
  centre + wrap(minutes - centre + MINUTES_PER_DAY / 2) - MINUTES_PER_DAY / 2

import { autocorrelationOf, effectiveSize } from "./autocorrelation.ts"
import { orderStatistic } from "./order-statistic.ts"
import type { Series } from "./series.ts"
import { studentQuantile975 } from "./student-t.ts"
import type { Interval } from "./verdict.ts"

const FEWEST_DEGREES = 3

export interface Line {
  /** Median of all pairwise slopes, per day. */
  readonly slope: number
  /** Null where the ranks of its limits leave the list of slopes. */
  readonly interval: Interval | null
}

/**
 * Theil-Sen's slope with Sen's interval, widened for the memory of the values.
 * @see Sen 1968, JASA 63:1379
 * @param points at least two
 * @param step days between neighbours
 */
export function theilSen(points: Series, step = 1): Line {
  const slopes = pairwiseSlopes(points)
  const slope = medianSlope(slopes)
  const residuals = points.map(({ day, value }) => ({ day, value: value - slope * (day - (points[0]?.day ?? 0)) }))
  const r = autocorrelationOf(residuals, step)
  const degrees = Math.max(FEWEST_DEGREES, effectiveSize(points.length, r) - 2)
  const variance = (kendallVariance(points) * (1 + r)) / (1 - r)
  return { slope, interval: senInterval(slopes, studentQuantile975(degrees) * Math.sqrt(variance)) }
}

/** The slope of each pair, in no order. */
export function pairwiseSlopes(points: Series): Float64Array {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2)
  let count = 0
  for (const later of points)
    for (const earlier of points) {
      if (earlier.day >= later.day) break
      slopes[count] = (later.value - earlier.value) / (later.day - earlier.day)
      count += 1
    }
  return slopes
}

/** The middle slope, or the mean of the middle two. */
function medianSlope(slopes: Float64Array): number {
  const [below, above] = [(slopes.length - 1) >> 1, slopes.length >> 1]
  const middle = orderStatistic(slopes, below) ?? Number.NaN
  return above === below ? middle : (middle + (orderStatistic(slopes, above) ?? middle)) / 2
}

/** Variance of Mann-Kendall's S with ties: (n (n-1) (2n+5) - sum of t (t-1) (2t+5)) / 18. @see Gilbert 1987, 16.4 */
export function kendallVariance(points: Series): number {
  const term = (count: number): number => count * (count - 1) * (2 * count + 5)
  const ties = Map.groupBy(points, ({ value }) => value).values()
  return ties.reduce((sum, tied) => sum - term(tied.length), term(points.length)) / 18
}

/**
 * The slopes of the ranks M1 and M2 + 1, with M = (N -+ C) / 2 rounded outwards. Null where they leave the list.
 * @see Gilbert 1987, 16.5
 * @param slopes in any order, which changes
 * @param spread C: quantile times standard deviation of S
 */
export function senInterval(slopes: Float64Array, spread: number): Interval | null {
  const rank = Math.floor((slopes.length - spread) / 2)
  const [low, high] = [orderStatistic(slopes, rank - 1), orderStatistic(slopes, slopes.length - rank)]
  return low === undefined || high === undefined ? null : { low, high }
}

/** The slope of points, what is known of it, and whether there is one at all. */
import type { Interval } from "./difference.ts"
import { autocorrelationOf, effectiveSize, meanOf, middleOf, studentQuantile975, sumOf } from "./moments.ts"
import { type Series, valuesOf } from "./series.ts"

const FEWEST_DEGREES = 3

export type Direction = -1 | 0 | 1

interface Slope {
  /** Median of all pairwise slopes, per day. Where that is 0 because pairs of equal values are many, the slope of least squares. */
  readonly slope: number
  /** 95 %. Null where the ranks of its limits leave the list of slopes. */
  readonly interval: Interval | null
  /** Whether the points rise (1) or fall (-1) more than chance and memory explain. */
  readonly direction: Direction
  /** The slope of least squares, per day. */
  readonly leastSquares: number
}

/**
 * Theil-Sen's slope with Sen's interval, and Mann-Kendall's test, all for values with memory. Sen's interval alone is blind to whole numbers:
 * pairs of equal values are slopes of 0, and a figure that is rounded to half its standard deviation has mostly such pairs.
 * @see Sen 1968, JASA 63:1379; Gilbert 1987, 16.4 and 16.5
 * @param points at least two
 * @param step days between neighbours
 */
export function slopeOfPoints(points: Series, step = 1): Slope {
  const slopes = pairwiseSlopes(points)
  const leastSquares = leastSquaresOf(points)
  const residuals = withoutSlope(points, leastSquares)
  const r = autocorrelationOf(residuals, step)
  const quantile = studentQuantile975(Math.max(FEWEST_DEGREES, effectiveSize(points.length, r) - 2))
  const spread = quantile * Math.sqrt((kendallVariance(points) * (1 + r)) / (1 - r))
  const sen = senInterval(slopes, spread)
  const direction = sen ? directionOf(slopes, spread) : 0
  const middle = middleOf(slopes)
  const slope = middle === 0 ? leastSquares : middle
  const isInside = sen !== null && slope >= sen.low && slope <= sen.high && sen.low < sen.high
  const interval =
    middle !== 0 || isInside ? sen : sen && leastSquaresInterval(residuals, { leastSquares, r, quantile })
  return { slope, interval: interval && onOneSide(interval, direction), direction, leastSquares }
}

/** Mann-Kendall's S, with continuity, against what it may be by chance. @see Gilbert 1987, 16.4 */
function directionOf(slopes: Float64Array, spread: number): Direction {
  const s = slopes.reduce((sum, slope) => sum + Math.sign(slope), 0)
  if (!(Math.abs(s) - 1 > spread)) return 0
  return s > 0 ? 1 : -1
}

/** Ranks are rounded outwards, and ties are slopes of 0. An interval of what clearly rises begins at 0 at the least. */
const onOneSide = ({ low, high }: Interval, direction: Direction): Interval => ({
  low: direction > 0 ? Math.max(low, 0) : low,
  high: direction < 0 ? Math.min(high, 0) : high,
})

/** As values beyond the first one, so that a constant added to all changes nothing. */
export const withoutSlope = (points: Series, slope: number): Series => {
  const [first] = points
  return points.map(({ day, value }) => ({
    day,
    value: value - (first?.value ?? 0) - slope * (day - (first?.day ?? 0)),
  }))
}

/** Deviations of the days from their middle. */
function dayDeviations(points: Series): number[] {
  const days = points.map(({ day }) => day)
  const middle = meanOf(days)
  return days.map((day) => day - middle)
}

function leastSquaresOf(points: Series): number {
  const deviations = dayDeviations(points)
  const values = valuesOf(withoutSlope(points, 0))
  const products = values.map((value, index) => value * (deviations[index] ?? 0))
  return sumOf(products) / sumOf(deviations.map((deviation) => deviation ** 2))
}

/** The variance of the slope is larger for the memory of the values, as that of S is. */
function leastSquaresInterval(
  residuals: Series,
  { leastSquares, r, quantile }: { readonly leastSquares: number; readonly r: number; readonly quantile: number },
): Interval {
  const values = valuesOf(residuals)
  const mean = meanOf(values)
  const squares = sumOf(values.map((value) => (value - mean) ** 2)) / Math.max(1, values.length - 2)
  const ofDays = sumOf(dayDeviations(residuals).map((deviation) => deviation ** 2))
  const reach = quantile * Math.sqrt((squares / ofDays) * ((1 + r) / (1 - r)))
  return { low: leastSquares - reach, high: leastSquares + reach }
}

/** The slope of each pair of points, ascending. */
export function pairwiseSlopes(points: Series): Float64Array {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2)
  let count = 0
  for (const [index, later] of points.entries())
    for (const earlier of points.slice(0, index)) {
      slopes[count] = (later.value - earlier.value) / (later.day - earlier.day)
      count += 1
    }
  return slopes.sort()
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
 * @param slopes ascending
 * @param spread C: quantile times standard deviation of S
 */
export function senInterval(slopes: ArrayLike<number>, spread: number): Interval | null {
  const rank = Math.floor((slopes.length - spread) / 2)
  const [low, high] = [slopes[rank - 1], slopes[slopes.length - rank]]
  return low === undefined || high === undefined ? null : { low, high }
}

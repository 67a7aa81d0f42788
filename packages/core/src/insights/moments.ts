/** The mean. Deviations from the first value are averaged, so that equal values give exactly that value. @param values at least one */
export function meanOf(values: ArrayLike<number>): number {
  const first = values[0] ?? Number.NaN
  let sum = 0
  for (let index = 0; index < values.length; index += 1) sum += (values[index] ?? 0) - first
  return first + sum / values.length
}

/** The mean squared deviation from the mean, over n. @param values at least one */
export function populationVariance(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
}

/** Sample standard deviation, over n - 1. Null for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | null {
  const { length } = values
  return length < 2 ? null : Math.sqrt((populationVariance(values) * length) / (length - 1))
}

/**
 * Quantile of type 7: linear between the order statistics around rank 1 + (n - 1) p.
 * @see Hyndman and Fan 1996, Sample Quantiles in Statistical Packages, The American Statistician 50:361
 * @param sorted ascending, at least one
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const rank = (sorted.length - 1) * share
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  const above = sorted[Math.ceil(rank)] ?? Number.NaN
  return below + (rank - Math.floor(rank)) * (above - below)
}

export const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort()

/** The middle value, or the mean of the middle two. @param values at least one, in any order */
export const medianOf = (values: readonly number[]): number => quantileOf(ascending(values), 0.5)

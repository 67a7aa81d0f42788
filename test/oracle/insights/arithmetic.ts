/* Sums, quantiles and ranks, computed in the plainest way. */

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Of nothing: null. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length

/** Mean of the squares of the distances from the mean. */
export function populationVariance(values: readonly number[]): number {
  const middle = mean(values) ?? 0
  return sum(values.map((value) => (value - middle) ** 2)) / values.length
}

/** With n - 1 in the denominator. Of fewer than two values: null. */
export const sampleDeviation = (values: readonly number[]): number | null =>
  values.length < 2 ? null : Math.sqrt((populationVariance(values) * values.length) / (values.length - 1))

export const ascending = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other)

/** Type 7 of Hyndman and Fan (1996), The American Statistician 50:361. Of nothing: null. */
export function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null
  const sorted = ascending(values)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? 0
  return below + (position - Math.floor(position)) * (above - below)
}

/** The middle value, or the mean of the middle two. Of nothing: null. */
export function median(values: readonly number[]): number | null {
  const sorted = ascending(values)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[half] ?? null) : mean(sorted.slice(half - 1, half + 1))
}

/** 1 for the smallest. Equal values share the mean of their ranks. */
export const ranks = (values: readonly number[]): number[] =>
  values.map((value) => {
    const smaller = values.filter((other) => other < value).length
    const equal = values.filter((other) => other === value).length
    return smaller + (equal + 1) / 2
  })

/** Pearson's correlation. Null where one side is constant, and of nothing. */
export function correlation(one: readonly number[], other: readonly number[]): number | null {
  if (one.length === 0) return null
  const [oneMean, otherMean] = [mean(one) ?? 0, mean(other) ?? 0]
  const products = one.map((value, index) => (value - oneMean) * ((other[index] ?? 0) - otherMean))
  const size = Math.sqrt(populationVariance(one) * populationVariance(other)) * one.length
  return size === 0 ? null : sum(products) / size
}

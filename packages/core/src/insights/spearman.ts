import { placeIn } from "./place-in.ts"

/** Ranks from 1 on. Equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  // Sorting plain numbers takes a fraction of the time of sorting objects by a comparison.
  const sorted = Float64Array.from(values).sort()
  const ranks = new Float64Array(sorted.length)
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    while (end < sorted.length && sorted[end] === sorted[start]) end += 1
    ranks[start] = (start + 1 + end) / 2
    start = end
  }
  return values.map((value) => ranks[placeIn(sorted, value)] ?? Number.NaN)
}

/** Spearman's rank correlation. Null where one side is constant. @param pairs factor and outcome */
export const spearman = (pairs: readonly (readonly [number, number])[]): number | null =>
  rankCorrelation(ranksOf(pairs.map(([one]) => one)), ranksOf(pairs.map(([, other]) => other)))

/** The same of ranks. @param ones as many as `others` */
export function rankCorrelation(ones: readonly number[], others: readonly number[]): number | null {
  // Ranks of n values have this mean, ties or not.
  const mean = (ones.length + 1) / 2
  let [products, squaresOne, squaresOther] = [0, 0, 0]
  for (let index = 0; index < ones.length; index += 1) {
    const deviation = (ones[index] ?? 0) - mean
    const otherDeviation = (others[index] ?? 0) - mean
    products += deviation * otherDeviation
    squaresOne += deviation ** 2
    squaresOther += otherDeviation ** 2
  }
  const scale = Math.sqrt(squaresOne * squaresOther)
  return scale > 0 ? Math.min(1, Math.max(-1, products / scale)) : null
}

import { placeIn } from "./place-in.ts"

/** The indexes of values from the smallest value to the largest. */
export function orderOf(values: readonly number[]): Uint32Array {
  // Sorting plain numbers takes a fraction of the time of sorting objects by a comparison.
  const sorted = Float64Array.from(values).sort()
  const order = new Uint32Array(sorted.length)
  const taken = new Uint32Array(sorted.length)
  for (const [index, value] of values.entries()) {
    const place = placeIn(sorted, value)
    const equals = taken[place] ?? 0
    order[place + equals] = index
    taken[place] = equals + 1
  }
  return order
}

/** Ranks from 1 on. Equal values share the mean of their ranks. @param order of the values, or of some of them */
export function ranksOf(values: readonly number[], order: Uint32Array = orderOf(values)): Float64Array {
  const ranks = new Float64Array(values.length)
  for (let start = 0; start < order.length; ) {
    const value = values[order[start] ?? 0]
    let end = start + 1
    while (end < order.length && values[order[end] ?? 0] === value) end += 1
    for (let place = start; place < end; place += 1) ranks[order[place] ?? 0] = (start + 1 + end) / 2
    start = end
  }
  return ranks
}

/** Spearman's rank correlation. Null where one side is constant. @param pairs factor and outcome */
export const spearman = (pairs: readonly (readonly [number, number])[]): number | null =>
  rankCorrelation(ranksOf(pairs.map(([one]) => one)), ranksOf(pairs.map(([, other]) => other)))

/** The same of ranks. @param ones as many as `others` */
export function rankCorrelation(ones: ArrayLike<number>, others: ArrayLike<number>): number | null {
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

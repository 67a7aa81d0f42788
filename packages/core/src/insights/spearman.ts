import { meanOf } from "./moments.ts"

/** Ranks from 1 on. Equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).toSorted((one, other) => one.value - other.value)
  const ranks = new Array<number>(values.length).fill(0)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && order[end]?.value === order[start]?.value) end += 1
    for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2
    start = end
  }
  return ranks
}

/** Spearman's rank correlation. Null where one side is constant. @param pairs factor and outcome */
export function spearman(pairs: readonly (readonly [number, number])[]): number | null {
  const ones = ranksOf(pairs.map(([one]) => one))
  const others = ranksOf(pairs.map(([, other]) => other))
  const [meanOne, meanOther] = [meanOf(ones), meanOf(others)]
  let [products, squaresOne, squaresOther] = [0, 0, 0]
  for (const [index, one] of ones.entries()) {
    const [deviation, otherDeviation] = [one - meanOne, (others[index] ?? 0) - meanOther]
    products += deviation * otherDeviation
    squaresOne += deviation ** 2
    squaresOther += otherDeviation ** 2
  }
  const scale = Math.sqrt(squaresOne * squaresOther)
  return scale > 0 ? Math.min(1, Math.max(-1, products / scale)) : null
}

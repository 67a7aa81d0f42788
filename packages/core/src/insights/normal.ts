/** The 0.975 quantile of the normal distribution. */
export const NORMAL_975 = 1.959963984540054

const FURTHEST = 8
const ROOT_TWO_PI = Math.sqrt(2 * Math.PI)

/**
 * Probability that a standard normal value is at least as far from zero as z, right to 1e-14.
 * @see Marsaglia 2004, Evaluating the Normal Distribution, Journal of Statistical Software 11(4)
 */
export function normalTwoSided(z: number): number {
  const x = Math.abs(z)
  if (x > FURTHEST) return 0
  let [sum, term, previous, odd] = [x, x, 0, 1]
  while (sum !== previous) {
    previous = sum
    odd += 2
    term *= (x * x) / odd
    sum += term
  }
  return Math.max(0, 1 - (2 * sum * Math.exp((-x * x) / 2)) / ROOT_TWO_PI)
}

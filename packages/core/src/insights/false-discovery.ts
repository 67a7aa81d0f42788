/** Expected part of false ones among the relations that are called clear. */
export const FALSE_DISCOVERY_RATE = 0.1

/**
 * Returns the largest probability that still counts, or null if none does.
 * @see Benjamini and Yekutieli 2001, Annals of Statistics 29:1165. It allows any dependence between the tests.
 * @param probabilities of all tests that were made
 */
export function discoveryLimit(probabilities: readonly number[]): number | null {
  const tried = probabilities.length
  const dependence = probabilities.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  const sorted = probabilities.toSorted((one, other) => one - other)
  return sorted.findLast((value, index) => value <= ((index + 1) * FALSE_DISCOVERY_RATE) / (tried * dependence)) ?? null
}

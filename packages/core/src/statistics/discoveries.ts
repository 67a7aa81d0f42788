import { ascending, sumOf } from "./moments.ts"

// Who tests many things finds some by chance. The largest probability that still counts is lower the more tests there were.

/** Expected part of false ones among all that is called clear. */
export const FALSE_DISCOVERY_RATE = 0.1

/**
 * Returns the largest probability that still counts, or null if none does.
 * @see Benjamini and Hochberg 1995, J. R. Stat. Soc. B 57:289. For tests that are independent or go the same way.
 * @param probabilities of all tests that were made
 */
export const discoveryLimit = (probabilities: readonly number[]): number | null => limitOf(probabilities, 1)

/**
 * The same for tests that may depend on each other in any way.
 * @see Benjamini and Yekutieli 2001, Annals of Statistics 29:1165
 */
export const dependentDiscoveryLimit = (probabilities: readonly number[]): number | null =>
  limitOf(probabilities, sumOf(probabilities.map((_, index) => 1 / (index + 1))))

function limitOf(probabilities: readonly number[], dependence: number): number | null {
  const rankLimit = (rank: number): number => (rank * FALSE_DISCOVERY_RATE) / (probabilities.length * dependence)
  return ascending(probabilities).findLast((value, index) => value <= rankLimit(index + 1)) ?? null
}

/** Whether a test still counts. @param limit of all tests that were made with it */
export const isDiscovery = (probability: number, limit: number | null): boolean =>
  limit !== null && probability <= limit

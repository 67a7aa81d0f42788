import {
  ascending,
  autocorrelationOf,
  effectiveSize,
  meanOf,
  populationVariance,
  sampleDeviation,
  studentQuantile975,
  studentTwoSided,
  sumOf,
} from "./moments.ts"
import { type Series, valuesOf } from "./series.ts"

/** A 95 % interval. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** On which side of zero the whole interval is. Null where it contains zero, or where there is none. */
export function sideOf(interval: Interval | null): "above" | "below" | null {
  if (!interval) return null
  if (interval.low > 0) return "above"
  return interval.high < 0 ? "below" : null
}

export type TrendVerdict = "rising" | "falling" | "no_clear_change" | "not_enough_data"
export type DifferenceVerdict = "higher" | "lower" | "no_clear_difference" | "not_enough_data"
export type RelationVerdict = "positive" | "negative" | "no_clear_relation" | "not_enough_data"

/** How surely a difference of means is known. */
export interface Certainty {
  readonly standardError: number
  /** Degrees of freedom of Student's t. */
  readonly degrees: number
}

/** The autocorrelation, the variance and the effective size of a person's own past. */
interface Past {
  readonly r: number
  readonly variance: number
  readonly effective: number
}

export function pastOf(values: Series): Past {
  const r = autocorrelationOf(values)
  const effective = effectiveSize(values.length, r)
  return { r, variance: varianceOf(valuesOf(values), effective), effective }
}

/** Values with memory vary less around their own mean, so the divisor is 1 - 1/n_eff instead of 1 - 1/n. */
const varianceOf = (values: readonly number[], effective: number): number =>
  populationVariance(values) / (1 - 1 / effective)

/** Memory and one spread for both sides come from the past. @param sizes number of values of each side */
export function certaintyByPast(sizes: readonly [number, number], { r, variance, effective }: Past): Certainty {
  const [one, other] = sizes
  const standardError = Math.sqrt(variance / effectiveSize(one, r) + variance / effectiveSize(other, r))
  return { standardError, degrees: Math.max(1, effective - 1) }
}

/**
 * Welch's t with Satterthwaite's degrees of freedom on the effective sizes.
 * @see Welch 1947, Biometrika 34:28; Satterthwaite 1946, Biometrics Bulletin 2:110
 * @param r memory of the values around their own means
 */
export function certaintyByWelch(one: Series, other: Series, r: number): Certainty {
  const [sizeOne, sizeOther] = [effectiveSize(one.length, r), effectiveSize(other.length, r)]
  const [partOne, partOther] = [
    varianceOf(valuesOf(one), sizeOne) / sizeOne,
    varianceOf(valuesOf(other), sizeOther) / sizeOther,
  ]
  const sum = partOne + partOther
  const degrees = sum ** 2 / (partOne ** 2 / (sizeOne - 1) + partOther ** 2 / (sizeOther - 1))
  // Without any spread there are no degrees of freedom.
  return { standardError: Math.sqrt(sum), degrees: Number.isNaN(degrees) ? 1 : Math.max(1, degrees) }
}

/**
 * Whether anything says how much values vary. Equal ones do not: the first yes after 57 times no would be a certain rise.
 */
export const hasSpread = ({ standardError }: Certainty): boolean => standardError > 0

/** 95 % interval of a difference. @param certainty with a spread */
export function intervalAround(difference: number, { standardError, degrees }: Certainty): Interval {
  const reach = studentQuantile975(degrees) * standardError
  return { low: difference - reach, high: difference + reach }
}

/** Probability of a difference that large without a true one. */
export const probabilityOf = (difference: number, { standardError, degrees }: Certainty): number =>
  studentTwoSided(difference / (standardError || Number.MIN_VALUE), degrees)

/** Hedges' g: the difference in pooled standard deviations, corrected for small samples. @see Hedges 1981, J. Educ. Stat. 6:107 */
export function hedgesG(one: readonly number[], other: readonly number[]): number | null {
  const degrees = one.length + other.length - 2
  const squares = (values: readonly number[]): number => (sampleDeviation(values) ?? 0) ** 2 * (values.length - 1)
  const pooled = Math.sqrt((squares(one) + squares(other)) / degrees)
  if (!(pooled > 0)) return null
  return ((meanOf(one) - meanOf(other)) / pooled) * (1 - 3 / (4 * degrees - 1))
}

export function differenceVerdict(interval: Interval): DifferenceVerdict {
  const side = sideOf(interval)
  if (side === null) return "no_clear_difference"
  return side === "above" ? "higher" : "lower"
}

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
 * Returns the largest probability that still counts, for tests that may depend on each other in any way. Null if none does.
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

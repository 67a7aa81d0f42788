import { meanOf } from "./moments.ts"
import { type DayValue, type Series, valuesOf } from "./series.ts"

// A value resembles the one of the night before: values of a person have memory. Many values with memory say as much as fewer without.

/** Fewer pairs of neighbours say nothing about the memory. */
const FEWEST_PAIRS = 14
/** Assumed then: the lag-1 autocorrelation of nightly figures is often 0.2 to 0.6. */
const ASSUMED = 0.5
const HIGHEST = 0.8
/** Pairs of the assumed autocorrelation that are added to those of two short periods. */
const ADDED_PAIRS = 7
const FEWEST_EFFECTIVE = 2
/** Deviations below this part of the values are calculation noise. */
const NOISE = 1e-12

interface Memory {
  /** Bias corrected, from 0 to 0.8. */
  readonly r: number
  /** Neighbours that it was computed from. */
  readonly pairs: number
}

/**
 * Lag-1 autocorrelation from 0 to 0.8, bias corrected by (n r1 + 1) / (n - 4). 0 for constant values, 0.5 with fewer than 14 pairs.
 * @see Kendall 1954, Biometrika 41:403; Marriott and Pope 1954, Biometrika 41:390
 * @param series detrended values
 * @param step days between neighbours
 */
export function autocorrelationOf(series: Series, step = 1): number {
  const memory = memoryOf([series], step)
  if (!memory) return 0
  return memory.pairs < FEWEST_PAIRS ? ASSUMED : memory.r
}

/**
 * The autocorrelation within two periods, with 7 pairs of 0.5 added to those there are. Two periods of 12 nights have too few pairs to be
 * taken at their word: without the addition 7.5 % of such comparisons find what is not there.
 * @param parts each is centred on its own mean, and no pair reaches from one into the other
 */
export function pooledAutocorrelation(parts: readonly Series[]): number {
  const memory = memoryOf(parts, 1)
  if (!memory) return 0
  const { r, pairs } = memory
  return pairs < FEWEST_PAIRS ? ASSUMED : (pairs * r + ADDED_PAIRS * ASSUMED) / (pairs + ADDED_PAIRS)
}

/** Undefined for constant values. */
function memoryOf(parts: readonly Series[], step: number): Memory | undefined {
  let [n, squares, products, pairs, largest] = [0, 0, 0, 0, 0]
  for (const part of parts) {
    const mean = meanOf(valuesOf(part))
    let previous: DayValue | undefined
    for (const each of part) {
      n += 1
      squares += (each.value - mean) ** 2
      largest = Math.max(largest, Math.abs(each.value))
      // Values on both sides of a missing date are no neighbours.
      if (previous && each.day - previous.day === step) {
        products += (each.value - mean) * (previous.value - mean)
        pairs += 1
      }
      previous = each
    }
  }
  const variance = squares / n
  if (!(variance > (NOISE * largest) ** 2)) return undefined
  const sample = pairs === 0 ? 0 : products / pairs / variance
  return { r: Math.min(HIGHEST, Math.max(0, (n * sample + 1) / (n - 4))), pairs }
}

/** How many independent values a mean of n values with memory r is worth: n (1 - r) / (1 + r), at least 2. Bartlett 1946 */
export const effectiveSize = (n: number, r: number): number => Math.max(FEWEST_EFFECTIVE, (n * (1 - r)) / (1 + r))

import { meanOf } from "./moments.ts"
import { type Series, valuesOf } from "./series.ts"

/** Fewer pairs of neighbours say nothing about the memory. */
const FEWEST_PAIRS = 14
/** Assumed then: the lag-1 autocorrelation of nightly figures is often 0.2 to 0.6. */
const ASSUMED = 0.5
const HIGHEST = 0.8
const FEWEST_EFFECTIVE = 2
/** Deviations below this part of the values are calculation noise. */
const NOISE = 1e-12

/**
 * Lag-1 autocorrelation from 0 to 0.8, bias corrected by (n r1 + 1) / (n - 4). 0 for constant values, 0.5 with fewer than 14 pairs.
 * @see Kendall 1954, Biometrika 41:403; Marriott and Pope 1954, Biometrika 41:390
 * @param parts detrended values. Each part is centred on its own mean, and no pair reaches from one part into another.
 * @param step days between neighbours
 */
export function autocorrelationOf(parts: readonly Series[], step = 1): number {
  const n = parts.reduce((sum, part) => sum + part.length, 0)
  let [squares, products, pairs, largest] = [0, 0, 0, 0]
  for (const part of parts) {
    const mean = part.length > 0 ? meanOf(valuesOf(part)) : 0
    let previous: { readonly day: number; readonly deviation: number } | undefined
    for (const { day, value } of part) {
      const deviation = value - mean
      squares += deviation * deviation
      largest = Math.max(largest, Math.abs(value))
      if (previous && day - previous.day === step) {
        products += deviation * previous.deviation
        pairs += 1
      }
      previous = { day, deviation }
    }
  }
  const variance = squares / n
  if (!(variance > (NOISE * largest) ** 2)) return 0
  if (pairs < FEWEST_PAIRS) return ASSUMED
  const sample = products / pairs / variance
  return Math.min(HIGHEST, Math.max(0, (n * sample + 1) / (n - 4)))
}

/** How many independent values a mean of n values with memory r is worth: n (1 - r) / (1 + r), at least 2. Bartlett 1946 */
export const effectiveSize = (n: number, r: number): number => Math.max(FEWEST_EFFECTIVE, (n * (1 - r)) / (1 + r))

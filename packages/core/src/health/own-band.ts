import type { TrendDay } from "@restwell/client"
import { round } from "./round.ts"

/** A person's usual range is that of so many scored nights, the same as skin temperature is measured by. DESIGN section 4. */
export const BAND_NIGHTS = 30
/** Fewer tell nothing. */
const FEWEST_NIGHTS = 5

/** Mean and one sample standard deviation to both sides of the last 30 values; null before 5. @param values oldest first */
export function ownBand(values: readonly number[]): TrendDay["hrv_band"] {
  const nights = values.slice(-BAND_NIGHTS)
  if (nights.length < FEWEST_NIGHTS) return null
  const mean = nights.reduce((sum, value) => sum + value, 0) / nights.length
  const squares = nights.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (nights.length - 1))
  return { low: round(mean - deviation, 1), high: round(mean + deviation, 1) }
}

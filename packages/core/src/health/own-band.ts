import type { TrendDay } from "@restwell/client"
import { BASELINE_NIGHTS, MIN_BASELINE_NIGHTS } from "../calendar/record-date.ts"
import { round } from "../rounding/round.ts"

/** Scored nights of a person's usual range: the same number as for the skin temperature's baseline. DESIGN section 4. */
export const BAND_NIGHTS = BASELINE_NIGHTS
/** Fewer nights give no range. */
const FEWEST_NIGHTS = MIN_BASELINE_NIGHTS

/** The mean of the last 30 values, minus and plus one sample standard deviation. Null before 5. @param values oldest first */
export function ownBand(values: readonly number[]): TrendDay["hrv_band"] {
  const nights = values.slice(-BAND_NIGHTS)
  if (nights.length < FEWEST_NIGHTS) return null
  const mean = nights.reduce((sum, value) => sum + value, 0) / nights.length
  const squares = nights.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (nights.length - 1))
  return { low: round(mean - deviation, 1), high: round(mean + deviation, 1) }
}

import type { TrendDay } from "@restwell/client"
import { usualOf } from "../insights/usual-range.ts"
import { round } from "../rounding/round.ts"

/** The usual range of a value as charts draw it: the mean minus and plus one standard deviation. @param values before it, oldest first */
export function ownBand(values: readonly number[]): TrendDay["hrv_band"] {
  const usual = usualOf("number", values)
  return usual && { low: round(usual.mean - usual.sd, 1), high: round(usual.mean + usual.sd, 1) }
}

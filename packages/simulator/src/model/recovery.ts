/**
 * Recovery: a night's HRV and pulse relative to the person's last month, and the sleep performance.
 * WHOOP does not publish its formula. This one uses the published inputs and the scale of 1 to 99.
 * @see https://developer.whoop.com/docs/developing/user-data/recovery
 */
import { clamp, mean, standardDeviation } from "./units.ts"
import type { Vitals } from "./vitals.ts"

/** Nights of the baseline. */
export const BASELINE_NIGHTS = 30

/** Returns the recovery score, a whole percentage from 1 to 99. */
export function recoveryScore(tonight: Vitals, baseline: readonly Vitals[], sleepPerformancePercent: number): number {
  const hrv = deviationsAbove(
    Math.log(tonight.hrvRmssdMs),
    baseline.map((night) => Math.log(night.hrvRmssdMs)),
    0.07,
  )
  const pulse = deviationsAbove(
    tonight.restingHeartRate,
    baseline.map((night) => night.restingHeartRate),
    1.2,
  )
  const slept = (sleepPerformancePercent - 85) / 15
  return clamp(Math.round(100 / (1 + Math.exp(-(0.5 + 0.75 * hrv - 0.3 * pulse + 0.35 * slept)))), 1, 99)
}

/** Standard deviations above the baseline. The minimum deviation limits the score of a very steady month. */
function deviationsAbove(value: number, baseline: readonly number[], smallestDeviation: number): number {
  return (value - mean(baseline)) / Math.max(smallestDeviation, standardDeviation(baseline))
}

/** Most nights in the baseline. */
export const BASELINE_NIGHTS = 30
/** Fewer nights make no baseline. */
export const MIN_BASELINE_NIGHTS = 5

/**
 * Returns the deviation of a night's skin temperature from the person's baseline, degrees Celsius. Undefined before 5 nights.
 * The baseline is the mean of up to 30 nights before it. @param previousNightsCelsius newest first
 */
export function skinTempDeviation(celsius: number, previousNightsCelsius: readonly number[]): number | undefined {
  const nights = previousNightsCelsius.slice(0, BASELINE_NIGHTS)
  if (nights.length < MIN_BASELINE_NIGHTS) return undefined
  return celsius - nights.reduce((sum, night) => sum + night, 0) / nights.length
}

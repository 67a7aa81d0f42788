/** Nights the baseline is the mean of, at most. */
export const BASELINE_NIGHTS = 30
/** Nights without which there is no baseline. */
export const MIN_BASELINE_NIGHTS = 5

/**
 * Returns how far a night's skin temperature is from the person's baseline, degrees Celsius; undefined before 5 nights.
 * The baseline is the mean of the nights before it, newest first: the first 30 count, the night itself does not.
 */
export function skinTempDeviation(celsius: number, previousNightsCelsius: readonly number[]): number | undefined {
  const nights = previousNightsCelsius.slice(0, BASELINE_NIGHTS)
  if (nights.length < MIN_BASELINE_NIGHTS) return undefined
  return celsius - nights.reduce((sum, night) => sum + night, 0) / nights.length
}

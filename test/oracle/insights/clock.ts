/* Times of day as angles. Fisher (1993), Statistical Analysis of Circular Data, sections 2.3.1 and 2.3.3. */
import { sum } from "./arithmetic.ts"

export const DAY_MINUTES = 1440

const angles = (minutes: readonly number[]): number[] => minutes.map((minute) => (minute / DAY_MINUTES) * 2 * Math.PI)

/** A minute of the day, 0 to below 1440. */
export const onTheClock = (minutes: number): number => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES

/** Direction of the mean vector, in minutes. Of nothing: null. */
export function circularMean(minutes: readonly number[]): number | null {
  if (minutes.length === 0) return null
  const [cosines, sines] = [sum(angles(minutes).map(Math.cos)), sum(angles(minutes).map(Math.sin))]
  return onTheClock((Math.atan2(sines, cosines) / (2 * Math.PI)) * DAY_MINUTES)
}

/** sqrt(-2 ln R), in minutes. Of one value or none: null. */
export function circularDeviation(minutes: readonly number[]): number | null {
  if (minutes.length < 2) return null
  const cosines = sum(angles(minutes).map(Math.cos)) / minutes.length
  const sines = sum(angles(minutes).map(Math.sin)) / minutes.length
  const length = Math.min(1, Math.hypot(cosines, sines))
  return (Math.sqrt(-2 * Math.log(length)) * DAY_MINUTES) / (2 * Math.PI)
}

/** The same times as numbers on a line, each within half a day of the middle. */
export const unwrapped = (minutes: readonly number[], middle: number): number[] =>
  minutes.map((minute) => middle + onTheClock(minute - middle + DAY_MINUTES / 2) - DAY_MINUTES / 2)

/** Durations in milliseconds and small arithmetic for the model. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(maximum, Math.max(minimum, value))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function standardDeviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** Returns a function that computes the value of each day once. */
export function memoized<T>(compute: (day: number) => T): (day: number) => T {
  const known = new Map<number, T>()
  return (day) => {
    const found = known.get(day)
    if (found !== undefined) return found
    const value = compute(day)
    known.set(day, value)
    return value
  }
}

/** Fewer than the 15 that a double holds: the last digits of a mean or a difference are noise of the reckoning. */
const SURE_DIGITS = 12
/** More than the digits after those can make of a number. */
const NOISE = 1e-11
const FACTORS = [1, 10, 100] as const

/**
 * Rounds half up to some decimals, by the decimal value a person would write down: 1.005 is 1.01, though its binary form lies a
 * little below, and 33 - 33.35 is -0.3, though it comes out as -0.3500000000000014. No vendor's figures need more than 12 digits.
 */
export function round(value: number, decimals: number): number {
  const factor = FACTORS[decimals] ?? 10 ** decimals
  const scaled = value * factor
  const whole = Math.round(scaled)
  // Only near a half can the last digits decide; they are looked at by way of a text, which takes ten times as long.
  const isSure = Math.abs(Math.abs(scaled - whole) - 0.5) > NOISE * Math.max(1, Math.abs(scaled))
  // There is no negative zero.
  return (isSure ? whole : Math.round(Number(scaled.toPrecision(SURE_DIGITS)))) / factor + 0
}

const HOUR_MS = 3_600_000

/** Milliseconds as hours, 2 decimals. */
export const hoursOf = (milliseconds: number): number => round(milliseconds / HOUR_MS, 2)

/** A measurement that may be missing, with 1 decimal: scores, averages, HRV, rates, temperatures, SpO2, strain, metres. */
export const toTenth = (value: number | null | undefined): number | null => (value == null ? null : round(value, 1))

/** A measurement that may be missing, whole: heart rates and kilocalories. */
export const toWhole = (value: number | null | undefined): number | null => (value == null ? null : round(value, 0))

/** A length of time that may be missing, in hours. */
export const toHours = (milliseconds: number | null | undefined): number | null =>
  milliseconds == null ? null : hoursOf(milliseconds)

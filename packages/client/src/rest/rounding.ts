/** A double has 15 decimal digits. The last ones of a mean or a difference are calculation noise. */
const SURE_DIGITS = 12
/** Above the noise of those digits. */
const NOISE = 1e-11
const FACTORS = [1, 10, 100] as const

/**
 * Rounds half up, by the decimal value that a person would write down: 1.005 becomes 1.01, although its binary form is a little
 * smaller, and 33 - 33.35 becomes -0.3, although a computer gets -0.3500000000000014. No vendor's figures need more than 12 digits.
 */
export function round(value: number, decimals: number): number {
  const factor = FACTORS[decimals] ?? 10 ** decimals
  const scaled = value * factor
  const whole = Math.round(scaled)
  // The last digits decide only near a half. Reading them as text takes ten times as long.
  const isSure = Math.abs(Math.abs(scaled - whole) - 0.5) > NOISE * Math.max(1, Math.abs(scaled))
  // There is no negative zero.
  return (isSure ? whole : Math.round(Number(scaled.toPrecision(SURE_DIGITS)))) / factor + 0
}

const HOUR_DECIMALS = 2
const HOUR_MINUTES = 60

/** Whole minutes of hours. Hours have two decimals first, as everywhere in REST, so that 7.49 h is never both 7 h 29 min and 7 h 30 min. */
export const wholeMinutes = (hours: number): number => round(round(hours, HOUR_DECIMALS) * HOUR_MINUTES, 0)

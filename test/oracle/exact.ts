/* Exact fractions: sums, means and roundings do not depend on the order of additions or on binary floating point. */

export interface Fraction {
  readonly numerator: bigint
  /** Positive. */
  readonly denominator: bigint
}

/** Returns the decimal number as it is written, 33.7 as 337/10. */
export function exactly(value: number): Fraction {
  const [digits = "", exponent = "0"] = String(value).split("e")
  const [whole = "", decimals = ""] = digits.split(".")
  const shift = Number(exponent) - decimals.length
  const numerator = BigInt(whole + decimals)
  return shift < 0
    ? { numerator, denominator: 10n ** BigInt(-shift) }
    : { numerator: numerator * 10n ** BigInt(shift), denominator: 1n }
}

export function minus(left: Fraction, right: Fraction): Fraction {
  return {
    numerator: left.numerator * right.denominator - right.numerator * left.denominator,
    denominator: left.denominator * right.denominator,
  }
}

export const times = (one: Fraction, other: Fraction): Fraction => ({
  numerator: one.numerator * other.numerator,
  denominator: one.denominator * other.denominator,
})

export function dividedBy(dividend: Fraction, divisor: Fraction): Fraction {
  if (divisor.numerator <= 0n) throw new RangeError("the divisor must be positive")
  return {
    numerator: dividend.numerator * divisor.denominator,
    denominator: dividend.denominator * divisor.numerator,
  }
}

/** Returns the sum; of nothing, null. */
export function sum(values: readonly Fraction[]): Fraction | null {
  if (values.length === 0) return null
  const denominator = values.reduce((common, value) => leastCommonMultiple(common, value.denominator), 1n)
  const numerator = values.reduce((total, value) => total + value.numerator * (denominator / value.denominator), 0n)
  return { numerator, denominator }
}

const leastCommonMultiple = (one: bigint, other: bigint): bigint => (one / greatestCommonDivisor(one, other)) * other

const greatestCommonDivisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : greatestCommonDivisor(other, one % other)

/** Returns the mean, or null if there are no values. */
export function mean(values: readonly Fraction[]): Fraction | null {
  const total = sum(values)
  return total && dividedBy(total, exactly(values.length))
}

/** Returns the number rounded to a number of decimals; exactly half a step goes up, towards plus infinity. */
export function rounded(value: Fraction, decimals: number): number {
  const scale = 10n ** BigInt(decimals)
  const steps = floor(2n * value.numerator * scale + value.denominator, 2n * value.denominator)
  return Number(steps) / Number(scale)
}

const HOUR_MS = exactly(3_600_000)

/** Returns milliseconds as the hours of an answer. */
export function inHours(milliseconds: Fraction): number
export function inHours(milliseconds: Fraction | null): number | null
export function inHours(milliseconds: Fraction | null): number | null {
  return milliseconds && rounded(dividedBy(milliseconds, HOUR_MS), 2)
}

function floor(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}

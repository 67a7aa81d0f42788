/* How much neighbouring nights resemble each other. Section 3 of the statistics. */
import { mean, sum } from "./arithmetic.ts"

/** A value on a day, counted in days or weeks. */
export interface Dated {
  readonly day: number
  readonly value: number
}

export const FEWEST_PAIRS = 14
export const ASSUMED = 0.5

/**
 * Lag-1 autocorrelation of values that vary around zero: bias corrected, (n r1 + 1) / (n - 4), and between 0 and 0.8.
 * @param groups values between which no pair is made
 */
export function memoryOf(groups: readonly (readonly Dated[])[]): number {
  const all = groups.flat()
  const products = groups.flatMap(productsOf)
  const variance = sum(all.map(({ value }) => value * value)) / all.length
  // What is constant but for the noise of the computer is constant.
  if (all.length === 0 || variance < 1e-18) return 0
  if (products.length < FEWEST_PAIRS) return ASSUMED
  const plain = sum(products) / products.length / variance
  return Math.min(0.8, Math.max(0, (all.length * plain + 1) / (all.length - 4)))
}

/** Of each value with that of the next day. */
function productsOf(group: readonly Dated[]): number[] {
  const valueOn = new Map(group.map(({ day, value }) => [day, value]))
  return group.flatMap(({ day, value }) => {
    const next = valueOn.get(day + 1)
    return next === undefined ? [] : [value * next]
  })
}

export const countPairs = (groups: readonly (readonly Dated[])[]): number => groups.flatMap(productsOf).length

/** The values minus their mean. */
export function centred(values: readonly Dated[]): Dated[] {
  const middle = mean(values.map(({ value }) => value)) ?? 0
  return values.map(({ day, value }) => ({ day, value: value - middle }))
}

/** How many independent values a number of values is worth. Bartlett (1946). */
export const effectiveSize = (n: number, memory: number): number => Math.max(2, (n * (1 - memory)) / (1 + memory))

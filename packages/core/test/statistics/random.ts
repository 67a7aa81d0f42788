/** Seeded random numbers. The same name and seed give the same world on every machine. */

export type Random = () => number

/** Uniform from 0 to below 1. Mulberry32 by Tommy Ettinger. */
export function seededRandom(name: string, seed: number): Random {
  let state = [...name].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619), seed | 0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Normal with mean 0 and standard deviation 1. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Student's t with 4 degrees of freedom, scaled to standard deviation 1. */
export function heavyTailed(random: Random): number {
  const chiSquare = [1, 2, 3, 4].reduce((sum) => sum + normal(random) ** 2, 0)
  return normal(random) / Math.sqrt(chiSquare / 4) / Math.SQRT2
}

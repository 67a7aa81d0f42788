/*
 * Student's t and the normal distribution by integration of their densities. With t = sqrt(df) tan(angle) the density of t is
 * cos(angle)^(df - 1), up to a constant (Abramowitz and Stegun 1964, 26.7).
 */

const STEPS = 400

/** Simpson's rule. */
function integral(density: (at: number) => number, from: number, to: number): number {
  const width = (to - from) / STEPS
  let total = density(from) + density(to)
  for (let step = 1; step < STEPS; step += 1) total += density(from + step * width) * (step % 2 === 1 ? 4 : 2)
  return (total * width) / 3
}

/** Logarithm of the gamma function: Stirling's series, after a shift to where it is exact to 1e-14. */
function logGamma(at: number): number {
  let [argument, shift] = [at, 0]
  for (; argument < 15; argument += 1) shift += Math.log(argument)
  const inverse = 1 / argument
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260 - inverse ** 7 / 1680
  return (argument - 0.5) * Math.log(argument) - argument + Math.log(2 * Math.PI) / 2 + series - shift
}

/** Probability that |t| is above a value. */
export function studentTail(value: number, degrees: number): number {
  const half = Math.exp(logGamma((degrees + 1) / 2) - logGamma(degrees / 2)) / Math.sqrt(Math.PI)
  const angle = Math.atan(Math.abs(value) / Math.sqrt(degrees))
  // Many degrees put all of the density near zero.
  const parts = 8
  let inside = 0
  for (let part = 0; part < parts; part += 1)
    inside += integral((at) => Math.cos(at) ** (degrees - 1), (angle * part) / parts, (angle * (part + 1)) / parts)
  return Math.max(0, 1 - 2 * half * inside)
}

/** Probability that a normal value is further from zero. */
export function normalTail(value: number): number {
  const far = Math.min(Math.abs(value), 12)
  return Math.max(0, 1 - (2 / Math.sqrt(2 * Math.PI)) * integral((at) => Math.exp(-(at * at) / 2), 0, far))
}

function halved(tail: (value: number) => number): number {
  let [low, high] = [0, 1000]
  for (let round = 0; round < 70; round += 1) {
    const middle = (low + high) / 2
    if (tail(middle) > 0.05) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const known = new Map<number, number>()

/** The value that |t| exceeds with 5 %. */
export function studentQuantile(degrees: number): number {
  const before = known.get(degrees)
  const quantile = before ?? halved((value) => studentTail(value, degrees))
  known.set(degrees, quantile)
  return quantile
}

/** The value that a normal one exceeds with 5 %, on both sides together. */
export const NORMAL_QUANTILE = halved(normalTail)

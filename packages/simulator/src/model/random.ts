/** Seeded random streams. Every purpose has its own stream, so a change of one does not affect the others. */

/** One reproducible stream of draws. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  between(minimum: number, maximum: number): number
  /** Whole number, both ends included. */
  integer(minimum: number, maximum: number): number
  chance(probability: number): boolean
  normal(mean: number, standardDeviation: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
  /** RFC 9562 version 4 layout, drawn from the stream. */
  uuid(): string
}

/** Returns the stream of these keys. The same keys always give the same draws. */
export function randomFor(...keys: readonly (string | number)[]): Random {
  const next = sfc32(hash128(keys.join("\u001f")))
  const between = (minimum: number, maximum: number) => minimum + (maximum - minimum) * next()
  const integer = (minimum: number, maximum: number) => Math.floor(between(minimum, maximum + 1))
  return {
    next,
    between,
    integer,
    chance: (probability) => next() < probability,
    normal: (mean, standardDeviation) => mean + standardDeviation * gaussian(next),
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    uuid: () => uuidFrom(next),
  }
}

/** Box-Muller. `1 - u` avoids the logarithm of zero. */
function gaussian(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

function uuidFrom(next: () => number): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("")
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

type Words = readonly [number, number, number, number]

/** Four 32-bit words from a text (the public-domain cyrb128 mix). */
function hash128(text: string): Words {
  let a = 1779033703
  let b = 3144134277
  let c = 1013904242
  let d = 2773480762
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0]
}

/** Chris Doty-Humphrey's Small Fast Counter generator (PractRand). The first draws are discarded to mix the state. */
function sfc32([first, second, third, fourth]: Words): () => number {
  let a = first
  let b = second
  let c = third
  let counter = fourth
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let round = 0; round < 12; round++) next()
  return next
}

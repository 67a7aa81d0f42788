/* Expected figures, unrounded, and what an answer may say for each: the figure with its decimals. */

export type Expected =
  | null
  | string
  | boolean
  | number
  | NumberFigure
  | ClockFigure
  | OneOf
  | Anything
  | readonly Expected[]
  | { readonly [key: string]: Expected }

/** A number before it is rounded. */
export class NumberFigure {
  readonly value: number
  readonly decimals: number
  constructor(value: number, decimals: number) {
    this.value = value
    this.decimals = decimals
  }
}

/** A time of day before it is rounded, in minutes. */
export class ClockFigure {
  readonly minutes: number
  constructor(minutes: number) {
    this.minutes = minutes
  }
}

/** Where rounding or noise of the computer decides between verdicts. */
export class OneOf {
  readonly values: readonly Expected[]
  constructor(values: readonly Expected[]) {
    this.values = values
  }
}

/** What no binding page fixes. */
export class Anything {}
export const ANYTHING = new Anything()

/** Part of a figure that two ways of computing may differ by. */
const NOISE = 1e-9

/** Paths at which an answer is not as expected, with both values. */
export function differences(expected: Expected, actual: unknown, path = ""): string[] {
  const different = [`${path}: expected ${written(expected)}, got ${JSON.stringify(actual)}`]
  if (expected instanceof Anything) return []
  if (expected instanceof OneOf)
    return expected.values.some((value) => differences(value, actual).length === 0) ? [] : different
  if (expected instanceof NumberFigure) return isRounded(expected, actual) ? [] : different
  if (expected instanceof ClockFigure) return isClock(expected, actual) ? [] : different
  if (expected === null || typeof expected !== "object") return Object.is(expected, actual) ? [] : different
  if (typeof actual !== "object" || actual === null || Array.isArray(expected) !== Array.isArray(actual))
    return different
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...keys].flatMap((key) => {
    const value: Expected | undefined = Reflect.get(expected, key)
    if (value === undefined) return [`${path}.${key}: not expected, got ${JSON.stringify(Reflect.get(actual, key))}`]
    return differences(value, Reflect.get(actual, key), `${path}.${key}`)
  })
}

function isRounded({ value, decimals }: NumberFigure, actual: unknown): boolean {
  if (typeof actual !== "number" || Object.is(actual, -0)) return false
  const step = 10 ** -decimals
  const isWritten = Math.abs(actual / step - Math.round(actual / step)) < 1e-6
  return isWritten && Math.abs(actual - value) <= step / 2 + NOISE * Math.max(1, Math.abs(value))
}

function isClock({ minutes }: ClockFigure, actual: unknown): boolean {
  const [, hours, rest] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(typeof actual === "string" ? actual : "") ?? []
  if (hours === undefined || rest === undefined) return false
  const apart = (Number(hours) * 60 + Number(rest) - minutes) % 1440
  const distance = Math.min(Math.abs(apart), 1440 - Math.abs(apart))
  return distance <= 0.5 + NOISE * 1440
}

function written(expected: Expected): string {
  if (expected instanceof NumberFigure) return `${expected.value} with ${expected.decimals} decimals`
  if (expected instanceof ClockFigure) {
    const minutes = ((expected.minutes % 1440) + 1440) % 1440
    return `${Math.floor(minutes / 60)}:${(minutes % 60).toFixed(3)}`
  }
  if (expected instanceof OneOf) return expected.values.map(written).join(" or ")
  return JSON.stringify(expected)
}

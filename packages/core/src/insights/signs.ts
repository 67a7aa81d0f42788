import type { Series } from "./series.ts"
import { type Usual, usualBefore } from "./usual-range.ts"

/** Metrics that a morning's signs are of. */
export const SIGN_METRICS = ["resting_heart_rate", "hrv", "respiratory_rate", "skin_temp_deviation"] as const
export type SignMetric = (typeof SIGN_METRICS)[number]

/** Standard deviations beyond which a value is outside the usual range, in words. */
const OUTSIDE = 1
/** Standard deviations beyond which a value is a sign. */
const SIGN = 2

export type Direction = "above" | "below"

/** A figure that deviates. It names no cause and no illness. */
export interface Sign {
  readonly metric: SignMetric
  readonly value: number
  readonly direction: Direction
  readonly usual: Usual
  /** Mornings in a row, this one included, that deviate in this direction, each from its own usual range. */
  readonly mornings: number
}

/** On which side of its usual range a value is. Null inside, and without a usual range. */
export const outsideOf = (value: number, usual: Usual | null): Direction | null => beyond(value, usual, OUTSIDE)

function beyond(value: number, usual: Usual | null, deviations: number): Direction | null {
  if (!usual || Math.abs(value - usual.mean) <= deviations * usual.sd) return null
  return value > usual.mean ? "above" : "below"
}

/** The signs of a morning: metrics beyond two standard deviations of the 30 values before. */
export function signsOf(histories: Readonly<Partial<Record<SignMetric, Series>>>, day: number): Sign[] {
  return SIGN_METRICS.flatMap((metric) => {
    const history = histories[metric] ?? []
    const sign = signAt(history, day)
    if (!sign) return []
    let mornings = 1
    while (signAt(history, day - mornings)?.direction === sign.direction) mornings += 1
    return [{ metric, ...sign, mornings }]
  })
}

function signAt(history: Series, day: number): Pick<Sign, "value" | "direction" | "usual"> | null {
  const value = history.find((each) => each.day === day)?.value
  const usual = usualBefore("number", history, day)
  if (value === undefined || !usual) return null
  const direction = beyond(value, usual, SIGN)
  return direction && { value, direction, usual }
}

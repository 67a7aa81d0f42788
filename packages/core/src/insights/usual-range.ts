import { BASELINE_NIGHTS, MIN_BASELINE_NIGHTS } from "../calendar/record-date.ts"
import { centreOf } from "./describe.ts"
import type { ValueKind } from "./line.ts"
import { type Series, valuesOf } from "./series.ts"

/** What is usual for a person: the values before one. */
export interface Usual {
  readonly mean: number
  readonly sd: number
  readonly n: number
}

/** Values that are usual for a person: the newest 30. */
export const USUAL_VALUES = BASELINE_NIGHTS

/** Mean and standard deviation of the 30 values before a day. Null with fewer than 5. @param history of any dates */
export const usualBefore = (kind: ValueKind, history: Series, day: number): Usual | null =>
  usualOf(kind, valuesOf(history.filter((value) => value.day < day)))

/** Mean and standard deviation of the last 30 values. Null with fewer than 5. @param values oldest first */
export function usualOf(kind: ValueKind, values: readonly number[]): Usual | null {
  const before = values.slice(-USUAL_VALUES)
  if (before.length < MIN_BASELINE_NIGHTS) return null
  const { mean, sd } = centreOf(kind, before)
  return sd === null ? null : { mean, sd, n: before.length }
}

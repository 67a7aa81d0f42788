import type { TrendDay } from "@restwell/client"
import type { Figure } from "./figures.ts"
import type { Missing } from "./missing.ts"

/** The mean of a bucket's figures and their number, or the reason why there is none. */
export type Mean =
  | { readonly value: number; readonly count: number; readonly missing: null }
  | { readonly value: null; readonly count: 0; readonly missing: Missing }

/** A reason that may still change comes first. */
const REASONS: readonly Missing[] = ["pending", "unscorable", "none"]

export function meanOf(days: readonly TrendDay[], figureOf: (day: TrendDay) => Figure): Mean {
  const figures = days.map(figureOf)
  const known = figures.flatMap(({ value }) => (value === null ? [] : [value]))
  if (known.length > 0)
    return { value: known.reduce((sum, value) => sum + value, 0) / known.length, count: known.length, missing: null }
  const missing = REASONS.find((reason) => figures.some((figure) => figure.missing === reason)) ?? "none"
  return { value: null, count: 0, missing }
}

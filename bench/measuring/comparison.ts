import type { Figures } from "./compare.ts"
import { milliseconds, perSecond, ratio } from "./table.ts"

/** The share of another's speed, and the multiple of its p99. */
export interface Reached {
  readonly share: number
  readonly p99: number
}

export const reachedOf = (other: Figures, figures: Figures): Reached => ({
  share: figures.perSecond / other.perSecond,
  p99: figures.p99Ms / other.p99Ms,
})

/** Cells of a row: speed and times, and their ratios to another's. */
export function comparedTo(other: Figures, figures: Figures): string[] {
  const { share, p99 } = reachedOf(other, figures)
  return [
    perSecond(figures.perSecond),
    milliseconds(figures.p50Ms),
    milliseconds(figures.p99Ms),
    ratio(share),
    ratio(p99),
  ]
}

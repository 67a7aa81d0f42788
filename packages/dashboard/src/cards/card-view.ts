import type { TrendDay, TrendsResponse } from "@restwell/client"
import { type Bucket, bucketsOf, type Dates, type Grain, grainOf, type Period } from "../trends/days.ts"

/** The period that all cards of a page are about. */
export interface CardView {
  readonly dates: Dates
  /** The number of dates. */
  readonly days: number
  readonly grain: Grain
  readonly buckets: readonly Bucket<TrendDay>[]
  /** Whether there may be values before the period. */
  readonly hasBefore: boolean
  readonly version: string
}

export function cardView(
  { period: { start_date, end_date }, days }: TrendsResponse,
  period: Period,
  { version, firstWeekday: first }: { readonly version: string; readonly firstWeekday: number },
): CardView {
  const grain = grainOf(days.length)
  return {
    dates: { start_date, end_date },
    days: days.length,
    grain,
    buckets: bucketsOf(days, grain, first),
    hasBefore: period !== "all",
    version,
  }
}

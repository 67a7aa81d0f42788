/** A 95 % interval. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** On which side of zero the whole interval is. Null where it contains zero, or where there is none. */
export function sideOf(interval: Interval | null): "above" | "below" | null {
  if (!interval) return null
  if (interval.low > 0) return "above"
  return interval.high < 0 ? "below" : null
}

export type TrendVerdict = "rising" | "falling" | "no_clear_change" | "not_enough_data"
export type DifferenceVerdict = "higher" | "lower" | "no_clear_difference" | "not_enough_data"
export type RelationVerdict = "positive" | "negative" | "no_clear_relation" | "not_enough_data"

import type { ValueKind } from "./line.ts"

/** A figure that a person has on many dates. */
export interface Metric {
  readonly id: string
  readonly title: string
  /** Null for clock times, counts, and yes or no. */
  readonly unit: string | null
  /** Which way is usually wanted. */
  readonly better: "higher" | "lower" | "neither"
  /** Of values and means. Clock times are told in whole minutes. */
  readonly decimals: number
  readonly kind: ValueKind
}

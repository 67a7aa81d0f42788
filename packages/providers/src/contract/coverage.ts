import type { RecordKind } from "./adapter.ts"

/** One field a vendor delivers: where it comes from, and what its number means. */
export interface FieldCoverage {
  readonly kind: RecordKind | "profile"
  /** Path in the normalised record: `data.metrics.hrv`. */
  readonly field: string
  /** Path in the vendor's record, or how it is derived. */
  readonly source: string
  /** Of the normalised value; absent for what has none. */
  readonly unit?: string
  /** How the vendor arrives at it, where vendors differ. */
  readonly method?: string
}

import type { RecordKind } from "./records.ts"

/** One field that a vendor delivers, with its source and meaning. */
export interface FieldCoverage {
  readonly kind: RecordKind | "profile"
  /** Path in the normalised record: `data.metrics.hrv`. */
  readonly field: string
  /** Path in the vendor's record, or its derivation. */
  readonly source: string
  /** Unit of the normalised value, where it has one. */
  readonly unit?: string
  /** The vendor's method, where vendors differ. */
  readonly method?: string
}

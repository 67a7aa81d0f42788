import type { Bucket } from "../trends/buckets.ts"
import type { Mean } from "../trends/means.ts"
import { MISSING_TEXTS } from "../trends/missing.ts"

/** Returns the mean as text, with the number of days in a bucket of several, or the reason why it is missing. */
export function meanText(mean: Mean, bucket: Bucket, text: (value: number, source: string | null) => string): string {
  if (mean.value === null) return MISSING_TEXTS[mean.missing]
  return bucket.days.length === 1
    ? text(mean.value, mean.source)
    : `${text(mean.value, mean.source)} (mean of ${mean.count} of ${bucket.days.length} days)`
}

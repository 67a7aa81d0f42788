import type { Bucket } from "../trends/buckets.ts"
import type { Mean } from "../trends/means.ts"
import { missingText } from "../trends/missing.ts"

/** A mean in words: the figure, of how many days where it is of several, or why there is none. */
export function meanText(mean: Mean, bucket: Bucket, text: (value: number) => string): string {
  if (mean.value === null) return missingText(mean.missing)
  return bucket.days.length === 1
    ? text(mean.value)
    : `${text(mean.value)} (mean of ${mean.count} of ${bucket.days.length} days)`
}

import type { TrendDay } from "@restwell/client"
import { MISSING_TEXTS, type Missing } from "../format/number.ts"
import type { Bucket } from "../trends/days.ts"
import type { Figure } from "../trends/figures.ts"

/** The mean of a bucket's figures, their number and their source, or the reason why there is none. */
export type Mean =
  | { readonly value: number; readonly count: number; readonly missing: null; readonly source: string | null }
  | { readonly value: null; readonly count: 0; readonly missing: Missing; readonly source: null }

/** A reason that may still change comes first. */
const REASONS: readonly Missing[] = ["pending", "unscorable", "none"]

/** The figures of different sources cannot be compared, so a mean takes those of one: the source of most days, or the newest of several. */
export function meanOf(days: readonly TrendDay[], figureOf: (day: TrendDay) => Figure): Mean {
  const figures = days.map(figureOf)
  const known = figures.flatMap(({ value, source }) => (value === null ? [] : [{ value, source }]))
  const bySource = Map.groupBy(known.toReversed(), ({ source }) => source)
  const [most] = [...bySource].toSorted(([, one], [, other]) => other.length - one.length)
  if (most) {
    const [source, { length: count }] = most
    const total = most[1].reduce((sum, { value }) => sum + value, 0)
    return { value: total / count, count, missing: null, source }
  }
  const missing = REASONS.find((reason) => figures.some((figure) => figure.missing === reason)) ?? "none"
  return { value: null, count: 0, missing, source: null }
}

/** Returns the mean as text, with the number of days in a bucket of several, or the reason why it is missing. */
export function meanText(mean: Mean, bucket: Bucket, text: (value: number, source: string | null) => string): string {
  if (mean.value === null) return MISSING_TEXTS[mean.missing]
  return bucket.days.length === 1
    ? text(mean.value, mean.source)
    : `${text(mean.value, mean.source)} (mean of ${mean.count} of ${bucket.days.length} days)`
}

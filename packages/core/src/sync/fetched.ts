import type { CollectionGap, NormalizedRecord, RejectedRecord } from "@restwell/providers"
import { type RecordKey, textOf } from "../store/delete-records.ts"
import type { FetchedJournal } from "../store/replace-journal.ts"

/** Records that were read from a vendor. */
export interface Fetched {
  readonly records: readonly NormalizedRecord[]
  readonly rejected: readonly RejectedRecord[]
  /** Stored records that the vendor no longer has, each confirmed by its id. */
  readonly deleted: readonly RecordKey[]
  /** Present when the journal of a whole window was read. */
  readonly journal?: FetchedJournal
  /** What the vendor refused to give. Its records are unknown. */
  readonly gaps: readonly CollectionGap[]
}

/** Merges several reads. A record that one of them contains is not deleted. */
export function mergeFetched(reads: readonly Fetched[]): Fetched {
  const records = reads.flatMap((read) => read.records)
  const rejected = reads.flatMap((read) => read.rejected)
  const present = new Set([...records, ...rejected].map(textOf))
  const deleted = reads.flatMap((read) => read.deleted).filter((key) => !present.has(textOf(key)))
  return { records, rejected, deleted, gaps: mergeGaps(reads.flatMap((read) => read.gaps)) }
}

/** Returns one gap for each collection, by name. */
export const mergeGaps = (gaps: readonly CollectionGap[]): CollectionGap[] =>
  [...new Map(gaps.map((gap) => [gap.collection, gap])).values()].toSorted((one, other) =>
    one.collection < other.collection ? -1 : 1,
  )

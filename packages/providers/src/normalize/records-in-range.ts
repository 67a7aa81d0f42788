// The records of a read that a request wants, for vendors whose own lists are wider than it, or by dates.
import { DAY_MS } from "@restwell/client/time-units"
import type { NormalizedRecord, PageRequest } from "../contract/records.ts"

interface Range {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** The records in the range of a request, newest first, and no more of them than its limit. */
export function recordsInRange(
  records: readonly NormalizedRecord[],
  { from, to, limit }: Range & Pick<PageRequest, "limit">,
): NormalizedRecord[] {
  const found = records.filter((record) => isInRange(record, { from, to })).toSorted(newestFirst)
  return limit === undefined ? found : found.slice(0, Math.max(1, limit))
}

/** A recovery is of its date: any instant that is on it somewhere counts. */
function isInRange(record: NormalizedRecord, { from, to }: Range): boolean {
  const start = record.kind === "recovery" ? record.createdMs - DAY_MS : record.startMs
  const end = record.kind === "recovery" ? record.createdMs + DAY_MS : record.endMs
  return (!to || start < to.getTime()) && (!from || end === null || end >= from.getTime())
}

const newestFirst = (one: NormalizedRecord, other: NormalizedRecord): number => momentMs(other) - momentMs(one)

const momentMs = (record: NormalizedRecord): number => (record.kind === "recovery" ? record.createdMs : record.startMs)

import type { NormalizedRecord, Page, RejectedRecord } from "@restwell/providers"

/** Clocks differ by seconds, and a vendor may mix up time zones, which differ by a day. */
const FURTHEST_AHEAD_MS = 86_400_000

/**
 * Returns a page as it can be at the time of its fetch. A record of later than tomorrow is rejected. A change of later than tomorrow
 * counts as made at the fetch, so that the next true version replaces it.
 */
export function withoutFuture(page: Page, fetchedAt: Date): Page {
  const latest = new Date(fetchedAt.getTime() + FURTHEST_AHEAD_MS)
  const records: NormalizedRecord[] = []
  const rejected: RejectedRecord[] = [...page.rejected]
  for (const record of page.records) {
    const field = futureField(record, latest)
    if (field !== undefined) rejected.push(rejectedAt(record, field))
    else records.push(record.updatedAt > latest ? { ...record, updatedAt: fetchedAt } : record)
  }
  return { ...page, records, rejected }
}

function futureField(record: NormalizedRecord, latest: Date): string | undefined {
  if (record.kind === "recovery") return record.createdAt > latest ? "created_at" : undefined
  if (record.startedAt > latest) return "start"
  return record.endedAt && record.endedAt > latest ? "end" : undefined
}

const rejectedAt = ({ kind, providerId, raw }: NormalizedRecord, field: string): RejectedRecord => ({
  kind,
  providerId,
  reason: `${field}: more than a day in the future`,
  raw,
})

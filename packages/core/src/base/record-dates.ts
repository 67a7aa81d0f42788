/** Dates of vendors' records, and the times that they cannot have. */
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { localDateOf, type NormalizedRecord, type Page, type RejectedRecord } from "@restwell/providers"

/**
 * The date of a record that depends on no other record: a sleep's is the local date of waking, a workout's that of its start. The dates
 * of recoveries and cycles depend on their sleep and are derived when they are stored.
 */
export function ownDateOf(record: NormalizedRecord): string | undefined {
  switch (record.kind) {
    case "sleep":
      return localDateOf(new Date(record.endMs), record.utcOffsetMinutes)
    case "workout":
      return localDateOf(new Date(record.startMs), record.utcOffsetMinutes)
    default:
      return undefined
  }
}

/** Clocks differ by seconds, and a vendor may mix up time zones, which differ by a day. */
const FURTHEST_AHEAD_MS = DAY_MS

/** The latest instant that a vendor's time can have. Later ones come from a wrong clock. */
export const latestPossible = (now: Date): Date => new Date(now.getTime() + FURTHEST_AHEAD_MS)

/** A recovery of a date alone is of its noon in UTC, and clocks are ahead of UTC by 14 hours at most: its date began these before. */
const NOON_AHEAD_MS = (14 + 12) * HOUR_MS - DAY_MS

/** Returns a page as it can be at the time of its fetch: a record of later than tomorrow is rejected. */
export function withoutFuture(page: Page, fetchedAt: Date): Page {
  const latest = latestPossible(fetchedAt)
  const records: NormalizedRecord[] = []
  const rejected: RejectedRecord[] = [...page.rejected]
  for (const record of page.records) {
    const field = futureField(record, latest)
    if (field !== undefined) rejected.push(rejectedAt(record, field))
    else records.push(record)
  }
  return { ...page, records, rejected }
}

function futureField(record: NormalizedRecord, latest: Date): string | undefined {
  const isAfter = (ms: number | null) => ms !== null && ms > latest.getTime()
  if (record.kind === "recovery") return isAfter(record.createdMs - NOON_AHEAD_MS) ? "created_at" : undefined
  if (isAfter(record.startMs)) return "start"
  return isAfter(record.endMs) ? "end" : undefined
}

const rejectedAt = ({ kind, providerId, raw }: NormalizedRecord, field: string): RejectedRecord => ({
  kind,
  providerId,
  // A time that is wrong tells no date.
  occurred: null,
  reason: `${field}: more than a day in the future`,
  raw,
})

/** Parts of a stored record that a newer version lacks: the vendor is asked for them before they are removed. */
import { type Json, NO_TIME_OF_CHANGE_MS, type NormalizedRecord } from "@restwell/providers"
import { sql } from "kysely"
import { latestPossible } from "../base/record-dates.ts"
import type { VendorSession } from "../connect/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/statements/delete-records.ts"
import { confirmEach, type Fetched, mergeFetched, NOTHING } from "./fetched.ts"

/** A record that was read without parts that its stored version has. */
interface RecordThatLacksParts extends RecordKey {
  /** Of the stored version. */
  readonly partIds: readonly string[]
  readonly raw: Json
}

/**
 * A part of a stored record counts as removed only if the vendor, asked for its id, does not have it: a list may leave one out. Records
 * that lack a part are read again with all parts that are stored. If the vendor refuses that, they are left out and stay as they are.
 * Parts of collections that failed or were not asked are unknown: the stored ones stay.
 */
export async function withLostParts(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  read: Fetched,
): Promise<Fetched> {
  const unknown = [...session.without, ...read.failed.map(({ collection }) => collection)]
  const lackingAny = await findRecordsThatLackParts(context, session.connection, read.records, unknown.length > 0)
  if (lackingAny.length === 0) return read
  const fetched = withStoredParts(session, read, lackingAny, unknown)
  const current = new Map(fetched.records.map((record) => [textOf(record), record]))
  const lacking = lackingAny.filter((stored) => {
    const record = current.get(textOf(stored))
    return record && isLacking(record, stored.partIds)
  })
  if (lacking.length === 0) return fetched
  const reads = await confirmEach(session, lacking, {
    read: ({ raw: _raw, ...one }) => readWithParts(session, one, unknown),
    isThere: ({ records }, { partIds }) => records.some((record) => !isLacking(record, partIds)),
  })
  const keys = new Set(lacking.map(textOf))
  const whole = fetched.records.filter((record) => !keys.has(textOf(record)))
  return { ...fetched, ...mergeFetched([{ ...fetched, records: whole }, ...reads]), answered: fetched.answered }
}

/** A record without its known parts would replace one that has them. */
async function readWithParts(
  session: VendorSession,
  request: Omit<RecordThatLacksParts, "raw">,
  without: readonly string[],
): Promise<Fetched> {
  const { records, rejected, failed = [] } = await session.fetchRecord({ ...request, without })
  return { ...NOTHING, records: failed.length + without.length > 0 ? [] : records, rejected, failed }
}

/** Joins the stored parts of some collections to records that were read without them. */
function withStoredParts(
  { rejoin }: VendorSession,
  fetched: Fetched,
  lacking: readonly RecordThatLacksParts[],
  kept: readonly string[],
): Fetched {
  if (!rejoin || kept.length === 0) return fetched
  const stored = new Map(lacking.map(({ raw, ...key }) => [textOf(key), raw]))
  const kinds = Map.groupBy(
    fetched.records.filter((record) => stored.has(textOf(record))),
    ({ kind }) => kind,
  )
  const joined = [...kinds].flatMap(([kind, records]) => {
    const rejoins = records.map((record) => ({ raw: record.raw, stored: stored.get(textOf(record)) ?? null, kept }))
    return rejoin(kind, rejoins).records
  })
  return { ...fetched, records: [...fetched.records.filter((record) => !stored.has(textOf(record))), ...joined] }
}

const isLacking = ({ partIds = [] }: NormalizedRecord, stored: readonly string[]): boolean =>
  stored.some((partId) => !partIds.includes(partId))

/**
 * An older version than the stored one is not stored, whatever it lacks. With unknown parts its age is unknown too.
 * @see upsertRecords
 */
async function findRecordsThatLackParts(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
  hasUnknownParts: boolean,
): Promise<RecordThatLacksParts[]> {
  if (records.length === 0) return []
  const rows = await database
    .selectFrom("record")
    .select([
      "kind",
      "provider_id as providerId",
      "vendor_updated_at as updatedAt",
      "raw",
      sql<string[]>`detail -> 'partIds'`.as("partIds"),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "in", [...new Set(records.map(({ kind }) => kind))])
    .where("provider_id", "in", [...new Set(records.map(({ providerId }) => providerId))])
    .where("from_archive", "=", false)
    .where(sql<boolean>`detail -> 'partIds' is not null`)
    .execute()
  const read = new Map(records.map((record) => [textOf(record), record]))
  const latest = latestPossible(clock.now())
  return rows.flatMap(({ updatedAt, ...stored }) => {
    const record = read.get(textOf(stored))
    const isStored =
      record &&
      (hasUnknownParts ||
        record.updatedMs >= updatedAt.getTime() ||
        record.updatedMs === NO_TIME_OF_CHANGE_MS ||
        updatedAt > latest)
    return isStored && isLacking(record, stored.partIds) ? [stored] : []
  })
}

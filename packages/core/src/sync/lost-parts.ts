import type { NormalizedRecord } from "@restwell/providers"
import { sql } from "kysely"
import type { VendorSession } from "../connection/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/delete-records.ts"
import { confirmEach } from "./confirm.ts"
import { type Fetched, mergeFetched } from "./fetched.ts"

/** A record that was read without parts that its stored version has. */
interface Shrunk extends RecordKey {
  /** Parts of the stored version. */
  readonly partIds: readonly string[]
}

/**
 * A part of a stored record counts as removed only if the vendor, asked for its id, does not have it: a list may leave one out. Records
 * that lack a part are read again with all parts that are stored. If the vendor refuses that, they are left out and stay as they are.
 * Of data with a gap, the parts are unknown.
 */
export async function withLostParts(
  context: Pick<Context, "database">,
  session: VendorSession,
  fetched: Fetched,
): Promise<Fetched> {
  if (fetched.gaps.length > 0) return fetched
  const shrunk = await findShrunk(context, session.connection, fetched.records)
  if (shrunk.length === 0) return fetched
  const reads = await confirmEach(session, shrunk, {
    read: (one) => readWithParts(session, one),
    isThere: ({ records }, { partIds }) => records.some((record) => !isLacking(record, partIds)),
  })
  const keys = new Set(shrunk.map(textOf))
  const whole = fetched.records.filter((record) => !keys.has(textOf(record)))
  return mergeFetched([{ ...fetched, records: whole }, ...reads])
}

async function readWithParts(session: VendorSession, request: Shrunk): Promise<Fetched> {
  const { records, rejected, gaps = [] } = await session.fetchRecord(request)
  return { records: gaps.length > 0 ? [] : records, rejected, deleted: [], gaps }
}

const isLacking = ({ partIds = [] }: NormalizedRecord, stored: readonly string[]): boolean =>
  stored.some((partId) => !partIds.includes(partId))

/** An older version than the stored one is not stored, whatever it lacks. */
async function findShrunk(
  { database }: Pick<Context, "database">,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<Shrunk[]> {
  if (records.length === 0) return []
  const rows = await database
    .selectFrom("record")
    .select([
      "kind",
      "provider_id as providerId",
      "vendor_updated_at as updatedAt",
      sql<string[]>`detail -> 'partIds'`.as("partIds"),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "in", [...new Set(records.map(({ kind }) => kind))])
    .where("provider_id", "in", [...new Set(records.map(({ providerId }) => providerId))])
    .where("from_archive", "=", false)
    .where(sql<boolean>`detail ? 'partIds'`)
    .execute()
  const read = new Map(records.map((record) => [textOf(record), record]))
  return rows.flatMap(({ updatedAt, ...stored }) => {
    const record = read.get(textOf(stored))
    return record && record.updatedAt >= updatedAt && isLacking(record, stored.partIds) ? [stored] : []
  })
}

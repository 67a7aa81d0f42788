import { NO_TIME_OF_CHANGE_MS, type NormalizedProfile, type NormalizedRecord } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { ownDateOf } from "../../base/record-dates.ts"
import type { ConnectionId } from "../connection-tables.ts"
import { type Database, growDataVersion } from "../database.ts"
import { columnsOf } from "../stored-record.ts"
import { deriveOffset } from "./derive-dates.ts"
import { withFirstOffsets } from "./first-offsets.ts"
import { ALL_TIME, projectArchives } from "./project-archives.ts"
import { recordColumns, recordDefinitions } from "./record-columns.ts"

/** The version of a record whose vendor gives none. */
const NO_VERSION = new Date(NO_TIME_OF_CHANGE_MS)

/**
 * Stores records by the vendor's id. Newer versions win, so pages may arrive in any order. At equal `updated_at` a differing payload wins,
 * because WHOOP does not raise it while a cycle is open. Records that are stored already are not written again.
 * A version whose `updated_at` is later than possible is the newest when it is read, and every version that is read later replaces it.
 * One without a time of its change replaces what is stored, whatever version that has.
 * A reply of the same version whose fields cannot be read takes nothing away, unless the vendor gives no versions or the record is open.
 * The copy of an archive's record always gives way.
 * @param latest the latest possible `updated_at`
 */
export async function upsertRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { records, latest }: { readonly records: readonly NormalizedRecord[]; readonly latest: Date },
): Promise<void> {
  if (records.length === 0) return
  const current = await withFirstOffsets(transaction, { userId, provider }, newestOfEach(records))
  const rows = current.map(rowOf)
  await sql`
    insert into restwell.record as stored (user_id, provider, ${recordColumns})
    select ${userId}, ${provider}, ${recordColumns}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (${recordDefinitions})
    on conflict (user_id, provider, kind, provider_id) do update set
      -- Values that depend on other records are derived afterwards. Until then they stay.
      date = coalesce(excluded.date, stored.date),
      started_at = coalesce(excluded.started_at, stored.started_at),
      utc_offset_minutes = coalesce(excluded.utc_offset_minutes, stored.utc_offset_minutes),
      ended_at = excluded.ended_at, score_state = excluded.score_state, vendor_updated_at = excluded.vendor_updated_at,
      sleep_provider_id = excluded.sleep_provider_id, cycle_provider_id = excluded.cycle_provider_id,
      from_archive = false, was_direct = false, detail = excluded.detail, candidate = excluded.candidate,
      course = excluded.course, raw = excluded.raw
    where stored.from_archive or excluded.vendor_updated_at > stored.vendor_updated_at
      or (excluded.vendor_updated_at = stored.vendor_updated_at or stored.vendor_updated_at > ${latest}
          or excluded.vendor_updated_at = ${NO_VERSION})
        and (coalesce(excluded.date, stored.date), coalesce(excluded.started_at, stored.started_at),
             coalesce(excluded.utc_offset_minutes, stored.utc_offset_minutes), excluded.ended_at, excluded.score_state,
             excluded.vendor_updated_at, excluded.sleep_provider_id, excluded.cycle_provider_id, excluded.detail::text, excluded.course::text,
             excluded.raw)
          is distinct from
            (stored.date, stored.started_at, stored.utc_offset_minutes, stored.ended_at, stored.score_state,
             stored.vendor_updated_at, stored.sleep_provider_id, stored.cycle_provider_id, stored.detail::text, stored.course::text,
             stored.raw)
        and not (excluded.vendor_updated_at > ${NO_VERSION} and (stored.kind <> 'cycle' or excluded.ended_at is not null)
                 and excluded.raw is distinct from stored.raw
                 and excluded.detail -> 'leftOut' is not null and stored.detail -> 'leftOut' is null)
  `.execute(transaction)
}

/** One version of each record: a list that shifts between two pages can contain a record twice. */
function newestOfEach(records: readonly NormalizedRecord[]): NormalizedRecord[] {
  const newest = new Map<string, NormalizedRecord>()
  for (const record of records) {
    const key = `${record.kind}/${record.providerId}`
    const other = newest.get(key)
    if (!other || record.updatedMs >= other.updatedMs) newest.set(key, record)
  }
  return [...newest.values()]
}

/** The date and the time of a recovery are derived afterwards, and so is the date of a cycle. */
const rowOf = (record: NormalizedRecord) => ({
  ...columnsOf(record),
  date: ownDateOf(record),
  ...(record.kind !== "recovery" && {
    started_at: new Date(record.startMs),
    utc_offset_minutes: record.utcOffsetMinutes,
  }),
})

/** Deletes everything that a vendor sent for a connection. What archives brought stays. A later connect fetches its history again. */
export async function wipeRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
): Promise<void> {
  for (const table of ["record", "profile"] as const)
    await transaction
      .deleteFrom(table)
      .where("user_id", "=", userId)
      .where("provider", "=", provider)
      .where("from_archive", "=", false)
      .execute()
  for (const table of ["rejected_record", "vendor_event", "journal_entry", "series_day", "series_left_out"] as const)
    await transaction.deleteFrom(table).where("user_id", "=", userId).where("provider", "=", provider).execute()
  await transaction
    .updateTable("connection")
    .set({
      member_id: null,
      last_synced_at: null,
      last_event_at: null,
      listed_at: null,
      refresh_at: null,
      reconciled_at: null,
      fetched_back_to: null,
      history_complete: false,
      history_told_at: null,
      gaps: "[]",
      samples_read_at: null,
      samples_until: null,
      samples_back_to: null,
      samples_goal: null,
    })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  await projectArchives(transaction, { userId, provider }, ALL_TIME)
  await deriveOffset(transaction, { userId, provider })
  await growDataVersion(transaction, userId)
}

/** Stores the vendor's profile of the person. Ask `isOtherThanStored` before: data of two people are never mixed. */
export async function storeProfile(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  profile: NormalizedProfile,
  fetchedAt: Date,
): Promise<void> {
  const { userId, provider } = connection
  const values = {
    data: JSON.stringify({ ...profile.data, isUnnamed: profile.isUnnamed }),
    raw: JSON.stringify(profile.raw),
    fetched_at: fetchedAt,
    from_archive: false,
  }
  await transaction
    .insertInto("profile")
    .values({ user_id: userId, provider, ...values })
    .onConflict((conflict) => conflict.columns(["user_id", "provider"]).doUpdateSet(values))
    .execute()
  await transaction
    .updateTable("connection")
    .set({ member_id: profile.data.providerId })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}

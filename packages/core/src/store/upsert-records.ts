import type { NormalizedRecord } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { ownDateOf } from "../calendar/record-date.ts"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import { detailOf } from "./stored-record.ts"

/**
 * Stores records by the vendor's id. Newer versions win, so pages may arrive in any order. At equal `updated_at` a differing payload wins,
 * because WHOOP does not raise it while a cycle is open. Records that are stored already are not written again.
 * The copy of an archive's record always gives way.
 */
export async function upsertRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<void> {
  if (records.length === 0) return
  const rows = newestOfEach(records).map(rowOf)
  await sql`
    insert into restwell.record as stored
      (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
       sleep_provider_id, cycle_provider_id, detail, raw)
    select ${userId}, ${provider}, r.kind, r.provider_id, r.date, r.started_at, r.ended_at, r.utc_offset_minutes, r.score_state,
           r.vendor_updated_at, r.sleep_provider_id, r.cycle_provider_id, r.detail, r.raw
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      kind text, provider_id text, date date, started_at timestamptz, ended_at timestamptz, utc_offset_minutes integer,
      score_state text, vendor_updated_at timestamptz, sleep_provider_id text, cycle_provider_id text, detail jsonb,
      raw jsonb)
    on conflict (user_id, provider, kind, provider_id) do update set
      -- Values that depend on other records are derived afterwards. Until then they stay.
      date = coalesce(excluded.date, stored.date),
      started_at = coalesce(excluded.started_at, stored.started_at),
      utc_offset_minutes = coalesce(excluded.utc_offset_minutes, stored.utc_offset_minutes),
      ended_at = excluded.ended_at, score_state = excluded.score_state, vendor_updated_at = excluded.vendor_updated_at,
      sleep_provider_id = excluded.sleep_provider_id, cycle_provider_id = excluded.cycle_provider_id,
      from_archive = false, was_direct = false, detail = excluded.detail, raw = excluded.raw
    where stored.from_archive or excluded.vendor_updated_at > stored.vendor_updated_at
      or excluded.vendor_updated_at = stored.vendor_updated_at
        and (coalesce(excluded.date, stored.date), coalesce(excluded.started_at, stored.started_at),
             coalesce(excluded.utc_offset_minutes, stored.utc_offset_minutes), excluded.ended_at, excluded.score_state,
             excluded.sleep_provider_id, excluded.cycle_provider_id, excluded.detail, excluded.raw)
          is distinct from
            (stored.date, stored.started_at, stored.utc_offset_minutes, stored.ended_at, stored.score_state,
             stored.sleep_provider_id, stored.cycle_provider_id, stored.detail, stored.raw)
  `.execute(transaction)
}

/** One version of each record: a list that shifts between two pages can contain a record twice. */
function newestOfEach(records: readonly NormalizedRecord[]): NormalizedRecord[] {
  const newest = new Map<string, NormalizedRecord>()
  for (const record of records) {
    const key = `${record.kind}/${record.providerId}`
    const other = newest.get(key)
    if (!other || record.updatedAt >= other.updatedAt) newest.set(key, record)
  }
  return [...newest.values()]
}

function rowOf(record: NormalizedRecord) {
  const common = {
    kind: record.kind,
    provider_id: record.providerId,
    score_state: record.scoreState,
    vendor_updated_at: record.updatedAt,
    detail: detailOf(record),
    raw: record.raw,
  }
  if (record.kind === "recovery")
    return {
      ...common,
      sleep_provider_id: record.sleepProviderId,
      cycle_provider_id: record.cycleProviderId,
      started_at: null,
    }
  return {
    ...common,
    date: ownDateOf(record),
    started_at: record.startedAt,
    ended_at: record.endedAt,
    utc_offset_minutes: record.utcOffsetMinutes,
    cycle_provider_id: record.kind === "sleep" ? record.cycleProviderId : undefined,
  }
}

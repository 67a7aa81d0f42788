import { createHash } from "node:crypto"
import type { NormalizedRecord, RecordKind, RejectedRecord } from "@restwell/providers"
import { type Kysely, sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import type { Database } from "../database.ts"
import { replaceRecordSamples } from "./write-series.ts"

export interface RecordKey {
  readonly kind: RecordKind
  readonly providerId: string
}

/** The key as one string, for sets and maps. */
export const textOf = ({
  kind,
  providerId,
}: {
  readonly kind: RecordKind
  readonly providerId: string | null
}): string => `${kind}/${providerId}`

/** Deletes records that the vendor deleted, and the samples that are parts of them. */
export async function deleteRecords(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  keys: readonly RecordKey[],
): Promise<void> {
  await deleteByKeys(transaction, "record", connection, keys)
  const sleeps = keys.flatMap(({ kind, providerId }) => (kind === "sleep" ? [providerId] : []))
  await replaceRecordSamples(
    transaction,
    connection,
    sleeps.map((recordId) => ({ recordId, sets: [] })),
  )
}

/**
 * Deletes recoveries that have their sleep's id, where the sleep has a recovery with an id of its own. A vendor that scores a night later
 * gives it such an id until then.
 */
export async function deleteStandIns(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<void> {
  const sleeps = records.flatMap((record) => (record.kind === "recovery" ? (record.sleepProviderId ?? []) : []))
  if (sleeps.length === 0) return
  await sql`
    delete from restwell.record r
    where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery'
      and r.provider_id = any (${sleeps}) and r.sleep_provider_id = r.provider_id
      and exists (
        select from restwell.record o
        where o.user_id = ${userId} and o.provider = ${provider} and o.kind = 'recovery'
          and o.sleep_provider_id = r.provider_id and o.provider_id <> r.provider_id)
  `.execute(transaction)
}

/** Deletes rejected payloads of records that were read since, or that are gone. */
export const forgetRejected = (
  transaction: Transaction<Database>,
  connection: ConnectionId,
  keys: readonly RecordKey[],
): Promise<void> => deleteByKeys(transaction, "rejected_record", connection, keys)

async function deleteByKeys(
  transaction: Transaction<Database>,
  table: "record" | "rejected_record",
  { userId, provider }: ConnectionId,
  keys: readonly RecordKey[],
): Promise<void> {
  if (keys.length === 0) return
  const rows = keys.map(({ kind, providerId }) => ({ kind, provider_id: providerId }))
  await sql`
    delete from ${sql.table(`restwell.${table}`)}
    where user_id = ${userId} and provider = ${provider} and (kind, provider_id) in (
      select k.kind, k.provider_id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as k (kind text, provider_id text))
  `.execute(transaction)
}

/** Stores payloads that cannot be used: the newest one of each record, and each one without an id once. */
export async function upsertRejected(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  rejected: readonly RejectedRecord[],
  { seenAt, version }: { readonly seenAt: Date; readonly version: string },
): Promise<void> {
  if (rejected.length === 0) return
  const rows = lastOfEach(rejected).map(({ kind, providerId, occurred, reason, raw }) => ({
    ...{ kind, provider_id: providerId, digest: digestOf(raw) },
    ...{ ...occurred, reason, raw },
  }))
  await sql`
    with received as (
      select r.kind, r.provider_id, decode(r.digest, 'hex') as digest, r.reason, coalesce(r.raw, 'null'::jsonb) as raw,
        -- An instant without a zone is of the date where the person was: by the record before it, or else after it.
        case when not exists (
          select from restwell.record o
          where o.user_id = ${userId} and o.provider = ${provider} and o.kind = r.kind and o.provider_id = r.provider_id)
        then coalesce(r.date, (r.instant at time zone 'UTC' + interval '1 minute' * coalesce(
          (select o.utc_offset_minutes from restwell.record o
           where o.user_id = ${userId} and o.started_at <= r.instant order by o.started_at desc limit 1),
          (select o.utc_offset_minutes from restwell.record o
           where o.user_id = ${userId} and o.started_at > r.instant order by o.started_at limit 1), 0))::date) end as date
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        kind text, provider_id text, digest text, date date, instant timestamptz, reason text, raw jsonb)),
    replaced as (
      delete from restwell.rejected_record o using received r
      where o.user_id = ${userId} and o.provider = ${provider}
        and o.kind = r.kind and o.provider_id = r.provider_id and o.digest <> r.digest)
    insert into restwell.rejected_record (user_id, provider, kind, provider_id, digest, date, reason, raw, seen_at, retried_by)
    select ${userId}, ${provider}, r.kind, r.provider_id, r.digest, r.date, r.reason, r.raw, ${seenAt}::timestamptz, ${version}
    from received r
    on conflict (user_id, provider, kind, digest) do nothing
  `.execute(transaction)
}

const digestOf = (raw: RejectedRecord["raw"]): string => createHash("sha256").update(JSON.stringify(raw)).digest("hex")

/** True if each of these payloads has been stored as rejected. */
export async function areAllRejected(
  database: Kysely<Database>,
  { userId, provider }: ConnectionId,
  rejected: readonly Pick<RejectedRecord, "kind" | "raw">[],
): Promise<boolean> {
  const rows = rejected.map(({ kind, raw }) => ({ kind, digest: digestOf(raw) }))
  const { rows: unknown } = await sql`
    select from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (kind text, digest text)
    where not exists (
      select from restwell.rejected_record o
      where o.user_id = ${userId} and o.provider = ${provider} and o.kind = r.kind and o.digest = decode(r.digest, 'hex'))
    limit 1
  `.execute(database)
  return unknown.length === 0
}

/** The last payload of each record: a list can contain a record twice. */
function lastOfEach(rejected: readonly RejectedRecord[]): readonly RejectedRecord[] {
  const lastOf = new Map(rejected.map((record) => [textOf(record), record]))
  return rejected.filter((record) => record.providerId === null || lastOf.get(textOf(record)) === record)
}

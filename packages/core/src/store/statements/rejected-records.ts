// Payloads of a vendor that cannot be used: stored with the reason, told by their date, and forgotten once the record can be read.
import { createHash } from "node:crypto"
import type { RecordKind, RejectedRecord } from "@restwell/providers"
import { type Kysely, sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import type { Database } from "../database.ts"
import { deleteByKeys, type RecordKey, textOf } from "./delete-records.ts"

/** Deletes rejected payloads of records that were read since, or that are gone. */
export const forgetRejected = (
  transaction: Transaction<Database>,
  connection: ConnectionId,
  keys: readonly RecordKey[],
): Promise<void> => deleteByKeys(transaction, "rejected_record", connection, keys)

/** Deletes rejected payloads without an id that were in lists of these kinds from `from` or later. Lists from then to the present lack them. */
export async function forgetUnlisted(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { kinds, from, rejected }: UnlistedQuery,
): Promise<void> {
  const listed = rejected.map(({ kind, raw }) => ({ kind, digest: digestOf(raw) }))
  await sql`
    delete from restwell.rejected_record o
    where o.user_id = ${userId} and o.provider = ${provider} and o.kind = any (${kinds})
      and o.provider_id is null and o.listed_from >= ${from}::timestamptz
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as r (kind text, digest text)
        where r.kind = o.kind and decode(r.digest, 'hex') = o.digest)
  `.execute(transaction)
}

interface UnlistedQuery {
  readonly kinds: readonly RecordKind[]
  readonly from: Date
  /** What the lists have now. */
  readonly rejected: readonly RejectedRecord[]
}

const digestOf = (raw: RejectedRecord["raw"]): string => createHash("sha256").update(JSON.stringify(raw)).digest("hex")

/** Stores payloads that cannot be used: the newest one of each record, and each one without an id once. */
export async function upsertRejected(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  rejected: readonly RejectedRecord[],
  { seenAt, listedFrom, version }: RejectedRead,
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
    insert into restwell.rejected_record (user_id, provider, kind, provider_id, digest, date, reason, raw, seen_at, listed_from, retried_by)
    select ${userId}, ${provider}, r.kind, r.provider_id, r.digest, r.date, r.reason, r.raw, ${seenAt}::timestamptz,
      ${listedFrom ?? null}::timestamptz, ${version}
    from received r
    on conflict (user_id, provider, kind, digest) do nothing
  `.execute(transaction)
}

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

/** How rejected payloads were read. */
interface RejectedRead {
  readonly seenAt: Date
  /** Where their lists begin. Undefined if they were requested by their ids. */
  readonly listedFrom: Date | undefined
  /** Of the software. */
  readonly version: string
}

/** The last payload of each record: a list can contain a record twice. */
function lastOfEach(rejected: readonly RejectedRecord[]): readonly RejectedRecord[] {
  const lastOf = new Map(rejected.map((record) => [textOf(record), record]))
  return rejected.filter((record) => record.providerId === null || lastOf.get(textOf(record)) === record)
}

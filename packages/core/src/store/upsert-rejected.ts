import { createHash } from "node:crypto"
import type { RejectedRecord } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import { textOf } from "./delete-records.ts"

/** Stores payloads that cannot be used: the newest one of each record, and each one without an id once. */
export async function upsertRejected(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  rejected: readonly RejectedRecord[],
  { seenAt, version }: { readonly seenAt: Date; readonly version: string },
): Promise<void> {
  if (rejected.length === 0) return
  const rows = lastOfEach(rejected).map(({ kind, providerId, reason, raw }) => {
    const digest = createHash("sha256").update(JSON.stringify(raw)).digest("hex")
    return { kind, provider_id: providerId, digest, reason, raw }
  })
  await sql`
    with received as (
      select r.kind, r.provider_id, decode(r.digest, 'hex') as digest, r.reason, coalesce(r.raw, 'null'::jsonb) as raw
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        kind text, provider_id text, digest text, reason text, raw jsonb)),
    replaced as (
      delete from restwell.rejected_record o using received r
      where o.user_id = ${userId} and o.provider = ${provider}
        and o.kind = r.kind and o.provider_id = r.provider_id and o.digest <> r.digest)
    insert into restwell.rejected_record (user_id, provider, kind, provider_id, digest, reason, raw, seen_at, retried_by)
    select ${userId}, ${provider}, r.kind, r.provider_id, r.digest, r.reason, r.raw, ${seenAt}::timestamptz, ${version}
    from received r
    on conflict (user_id, provider, kind, digest) do nothing
  `.execute(transaction)
}

/** The last payload of each record: a list can contain a record twice. */
function lastOfEach(rejected: readonly RejectedRecord[]): readonly RejectedRecord[] {
  const lastOf = new Map(rejected.map((record) => [textOf(record), record]))
  return rejected.filter((record) => record.providerId === null || lastOf.get(textOf(record)) === record)
}

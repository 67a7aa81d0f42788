import type { NormalizedRecord, RecordKind } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
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

/** Deletes rows of these records. */
export async function deleteByKeys(
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

import type { RecordKind } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../context.ts"
import type { Database } from "./database.ts"

export interface RecordKey {
  readonly kind: RecordKind
  readonly providerId: string
}

/** Deletes what the vendor deleted. */
export async function deleteRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  keys: readonly RecordKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    delete from restwell.record
    where user_id = ${userId} and provider = ${provider} and (kind, provider_id) in (
      select k.kind, k.provider_id from jsonb_to_recordset(${JSON.stringify(keys.map(({ kind, providerId }) => ({ kind, provider_id: providerId })))}::jsonb)
        as k (kind text, provider_id text))
  `.execute(transaction)
}

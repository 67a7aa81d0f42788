import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../context.ts"
import type { Database } from "./database.ts"
import type { RecordKey } from "./delete-records.ts"

/** What was kept aside of a record is of no use once a version of it could be read, or it is gone. */
export async function forgetRejected(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  keys: readonly RecordKey[],
): Promise<void> {
  if (keys.length === 0) return
  const rows = keys.map(({ kind, providerId }) => ({ kind, provider_id: providerId }))
  await sql`
    delete from restwell.rejected_record
    where user_id = ${userId} and provider = ${provider} and (kind, provider_id) in (
      select k.kind, k.provider_id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as k (kind text, provider_id text))
  `.execute(transaction)
}

import type { Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import { growDataVersion } from "./grow-data-version.ts"

/** Deletes everything that was stored for a connection. A later connect fetches its history again. */
export async function wipeRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
): Promise<void> {
  for (const table of ["record", "profile", "rejected_record", "vendor_event"] as const)
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
    })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  await transaction.updateTable("person").set({ utc_offset_minutes: null }).where("user_id", "=", userId).execute()
  await growDataVersion(transaction, userId)
}

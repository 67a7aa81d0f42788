import type { Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import { deriveOffset } from "./derive-dates.ts"
import { growDataVersion } from "./grow-data-version.ts"
import { ALL_TIME, projectArchives } from "./project-archives.ts"

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
  for (const table of ["rejected_record", "vendor_event", "journal_entry"] as const)
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
      gaps: "[]",
    })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  await projectArchives(transaction, { userId, provider }, ALL_TIME)
  await deriveOffset(transaction, { userId, provider })
  await growDataVersion(transaction, userId)
}

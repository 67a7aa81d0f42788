import type { NormalizedProfile } from "@restwell/providers"
import { sql } from "kysely"
import { applyEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context.ts"
import { deleteRecords } from "../store/delete-records.ts"
import { growDataVersion } from "../store/grow-data-version.ts"
import { settleRecords } from "../store/settle-records.ts"
import { upsertProfile } from "../store/upsert-profile.ts"
import { upsertRecords } from "../store/upsert-records.ts"
import { upsertRejected } from "../store/upsert-rejected.ts"
import type { FetchedWindow } from "./fetch-window.ts"

export interface Ingestion {
  /** The connection as it was when the fetch began: a disconnect in between voids it. */
  readonly generation: string
  readonly fetched: FetchedWindow
  readonly profile?: NormalizedProfile
  /** What is known of the history after this. */
  readonly fetchedBackTo: Date
  readonly historyComplete: boolean
  /** True when late changes of the whole window count as seen. */
  readonly isReconciliation: boolean
  /** When the fetch began: an answer is never called fresher than what was asked. */
  readonly asOf: Date
}

/**
 * Stores what was fetched in one transaction: all of it with its cursor, or nothing. Doing it again changes nothing but the time of
 * the last sync. False when the connection ended meanwhile: then nothing is written.
 */
export async function ingest(context: Context, connection: ConnectionId, ingestion: Ingestion): Promise<boolean> {
  const { fetched, profile } = ingestion
  return context.database.transaction().execute(async (transaction) => {
    const held = await transaction
      .updateTable("connection")
      .set({
        ...(fetched.window.to === null && { last_synced_at: ingestion.asOf }),
        fetched_back_to: sql`least(fetched_back_to, ${ingestion.fetchedBackTo}::timestamptz)`,
        history_complete: sql`history_complete or ${ingestion.historyComplete}`,
        ...(ingestion.isReconciliation && { reconciled_at: ingestion.asOf }),
        failures: 0,
      })
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .where("generation", "=", ingestion.generation)
      .where("status", "not in", ["disconnected", "reauthorization_required"])
      .returning("user_id")
      .executeTakeFirst()
    if (!held) return false
    await upsertRecords(transaction, connection, fetched.records)
    await deleteRecords(transaction, connection, fetched.deleted)
    await upsertRejected(transaction, connection, fetched.rejected, ingestion.asOf)
    if (profile) await upsertProfile(transaction, connection, profile, ingestion.asOf)
    await settleRecords(transaction, connection)
    await growDataVersion(transaction, connection.userId)
    await applyEvent(transaction, context, connection, { type: "synced" })
    return true
  })
}

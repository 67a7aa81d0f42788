import type { NormalizedProfile, NormalizedRecord, RejectedRecord } from "@restwell/providers"
import { type RawBuilder, sql } from "kysely"
import { applyEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { deleteRecords, forgetRejected, type RecordKey } from "../store/delete-records.ts"
import { growDataVersion } from "../store/grow-data-version.ts"
import { keepProfile } from "../store/keep-profile.ts"
import { changeAndSettle } from "../store/settle-records.ts"
import { upsertRecords } from "../store/upsert-records.ts"
import { upsertRejected } from "../store/upsert-rejected.ts"
import { deleteHandled, type PendingEvent } from "../webhook/pending-events.ts"

/** What a vendor answered: records as they are now, and what of ours it no longer has. */
export interface Fetched {
  readonly records: readonly NormalizedRecord[]
  readonly rejected: readonly RejectedRecord[]
  /** Stored records that the vendor was asked for by id and no longer has. */
  readonly deleted: readonly RecordKey[]
}

/** What is known of the connection after an ingestion; what is left out stays. */
export interface Progress {
  /** Everything the vendor had to tell at this moment is stored. */
  readonly lastSyncedAt?: Date
  readonly listedAt?: Date
  readonly refreshAt?: Date
  /** When late changes of the last months were looked for; null has them looked for as soon as may be. */
  readonly reconciledAt?: Date | null
  /** True when they were looked for on purpose. */
  readonly isReconciliation?: boolean
  readonly lastEventAt?: Date
  readonly fetchedBackTo?: Date
  readonly historyComplete?: boolean
}

export interface Ingestion {
  /** The connection as it was when the fetch began: a disconnect in between voids it. */
  readonly generation: string
  readonly fetched?: Fetched
  readonly profile?: NormalizedProfile
  readonly progress: Progress
  /** Events that are answered by what was fetched. One that was told again meanwhile stays. */
  readonly handled?: readonly PendingEvent[]
  /** When the fetch began: an answer is never called fresher than what was asked. */
  readonly asOf: Date
}

/**
 * Stores what was fetched in one transaction: all of it with its cursor, or nothing. Doing it again changes nothing but the time of
 * the last sync. False when the connection ended meanwhile: then nothing is written.
 */
export async function ingest(context: Context, connection: ConnectionId, ingestion: Ingestion): Promise<boolean> {
  const { fetched, profile, handled = [], asOf } = ingestion
  return context.database.transaction().execute(async (transaction) => {
    const held = await transaction
      .updateTable("connection")
      .set({ ...columnsOf(ingestion.progress), failures: 0, retry_after: null })
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .where("generation", "=", ingestion.generation)
      .where("status", "not in", ["disconnected", "reauthorization_required"])
      .returning("user_id")
      .executeTakeFirst()
    if (!held) return false
    if (profile) await keepProfile(transaction, connection, profile, asOf)
    if (fetched) {
      await changeAndSettle(transaction, connection, fetched, async () => {
        await upsertRecords(transaction, connection, fetched.records)
        await deleteRecords(transaction, connection, fetched.deleted)
      })
      await forgetRejected(transaction, connection, [...fetched.records, ...fetched.deleted])
      await upsertRejected(transaction, connection, fetched.rejected, { seenAt: asOf, version: context.version })
    }
    await growDataVersion(transaction, connection.userId)
    await applyEvent(transaction, context, connection, { type: "synced" })
    // Last, so that a webhook that tells of one of them again waits for the commit alone.
    await deleteHandled(transaction, connection, handled)
    return true
  })
}

const columnsOf = (progress: Progress) => ({
  ...(progress.lastSyncedAt && { last_synced_at: progress.lastSyncedAt }),
  ...(progress.listedAt && { listed_at: progress.listedAt }),
  ...(progress.refreshAt && { refresh_at: progress.refreshAt }),
  ...(progress.reconciledAt !== undefined && { reconciled_at: progress.reconciledAt }),
  ...(progress.isReconciliation && { reconciliations: sql<number>`reconciliations + 1` }),
  ...(progress.lastEventAt && { last_event_at: progress.lastEventAt }),
  ...(progress.fetchedBackTo && { fetched_back_to: earliest(progress.fetchedBackTo) }),
  ...(progress.historyComplete && { history_complete: true }),
})

/** Nulls count for nothing. */
const earliest = (at: Date): RawBuilder<Date> => sql<Date>`least(fetched_back_to, ${at}::timestamptz)`

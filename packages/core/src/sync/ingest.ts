import type { CollectionGap, NormalizedProfile } from "@restwell/providers"
import { type RawBuilder, sql } from "kysely"
import { INACTIVE } from "../connection/active-connection.ts"
import { endDuplicate, findRivals, hasElderRival } from "../connection/shared-member.ts"
import { applyEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { deleteRecords, deleteStandIns, forgetRejected } from "../store/delete-records.ts"
import { changeAndDerive } from "../store/derive-dates.ts"
import { growDataVersion } from "../store/grow-data-version.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { archivesBeside } from "../store/project-archives.ts"
import { replaceJournal } from "../store/replace-journal.ts"
import { storeProfile } from "../store/store-profile.ts"
import { upsertRecords } from "../store/upsert-records.ts"
import { upsertRejected } from "../store/upsert-rejected.ts"
import { deleteHandled, type PendingEvent } from "../webhook/pending-events.ts"
import type { Fetched } from "./fetched.ts"

/** Changes of the connection. Fields left out stay. */
export interface Progress {
  /** All that the vendor had at this time is stored. */
  readonly lastSyncedAt?: Date
  readonly listedAt?: Date
  readonly refreshAt?: Date
  /** When late changes were looked for. Null looks for them as soon as possible. */
  readonly reconciledAt?: Date | null
  /** Counts a reconciliation. */
  readonly isReconciliation?: boolean
  readonly lastEventAt?: Date
  readonly fetchedBackTo?: Date
  readonly historyComplete?: boolean
  /** What the vendor refuses to give now. */
  readonly gaps?: readonly CollectionGap[]
  /** The history before this is read again: the vendor now gives what it had refused. */
  readonly historyRestartsAt?: Date
}

export interface Ingestion {
  /** Of the connection when the fetch began. After a disconnect or a new connect nothing is stored. */
  readonly generation: string
  readonly fetched?: Fetched
  readonly profile?: NormalizedProfile
  readonly progress: Progress
  /** Events whose records were read. One with a further event meanwhile stays. */
  readonly handled?: readonly PendingEvent[]
  /** When the fetch began. No data is newer than this. */
  readonly asOf: Date
}

/**
 * Stores records and progress in one transaction. A repeat changes only the time of the last sync.
 * Returns false when the connection ended meanwhile, or ends because another account was connected to the same member before. Then
 * nothing is stored. If the other account was connected later, its connection ends.
 */
export async function ingest(context: Context, connection: ConnectionId, ingestion: Ingestion): Promise<boolean> {
  const { fetched, profile, handled = [], asOf } = ingestion
  return personTransaction(context.database, connection.userId, async (transaction) => {
    const rivals = profile ? await findRivals(transaction, context, connection, profile.data.providerId) : []
    if (await hasElderRival(transaction, connection, rivals)) {
      await endDuplicate(transaction, context, { ...connection, generation: ingestion.generation })
      return false
    }
    const connected = await transaction
      .updateTable("connection")
      .set({ ...columnsOf(ingestion.progress), failures: 0, retry_after: null, ...NOT_WAITING })
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .where("generation", "=", ingestion.generation)
      .where("status", "not in", INACTIVE)
      .returning("user_id")
      .executeTakeFirst()
    if (!connected) return false
    for (const rival of rivals) await endDuplicate(transaction, context, rival)
    if (profile) await storeProfile(transaction, connection, profile, asOf)
    if (fetched) {
      const archives = await archivesBeside(transaction, connection, fetched)
      await changeAndDerive(transaction, connection, fetched, async () => {
        await upsertRecords(transaction, connection, fetched.records)
        await deleteRecords(transaction, connection, fetched.deleted)
        await deleteStandIns(transaction, connection, fetched.records)
      })
      await archives.project()
      if (fetched.journal) await replaceJournal(transaction, connection, fetched.journal)
      await forgetRejected(transaction, connection, [...fetched.records, ...fetched.deleted])
      await upsertRejected(transaction, connection, fetched.rejected, { seenAt: asOf, version: context.version })
    }
    await growDataVersion(transaction, connection.userId)
    await applyEvent(transaction, context, connection, { type: "synced" })
    // Last, so that a webhook about one of them waits only for the commit.
    await deleteHandled(transaction, connection, handled)
    return true
  })
}

/** The sync goes on. */
const NOT_WAITING = { waiting_reason: null, waiting_message: null, waiting_until: null }

const columnsOf = (progress: Progress) => ({
  ...(progress.lastSyncedAt && { last_synced_at: progress.lastSyncedAt }),
  ...(progress.listedAt && { listed_at: progress.listedAt }),
  ...(progress.refreshAt && { refresh_at: progress.refreshAt }),
  ...(progress.reconciledAt !== undefined && { reconciled_at: progress.reconciledAt }),
  ...(progress.isReconciliation && { reconciliations: sql<number>`reconciliations + 1` }),
  ...(progress.lastEventAt && { last_event_at: progress.lastEventAt }),
  ...(progress.fetchedBackTo && { fetched_back_to: earliest(progress.fetchedBackTo) }),
  ...(progress.historyComplete && { history_complete: true }),
  ...(progress.gaps && { gaps: JSON.stringify(progress.gaps) }),
  ...(progress.historyRestartsAt && { history_complete: false, fetched_back_to: progress.historyRestartsAt }),
})

/** `least` ignores nulls. */
const earliest = (at: Date): RawBuilder<Date> => sql<Date>`least(fetched_back_to, ${at}::timestamptz)`

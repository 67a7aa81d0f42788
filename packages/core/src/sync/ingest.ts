import { DAY_MS } from "@restwell/client/time-units"
import { type NormalizedProfile, RECORD_KINDS, type SamplesOfWindow, type SampleWindow } from "@restwell/providers"
import { type RawBuilder, sql, type Transaction } from "kysely"
import { latestPossible } from "../base/record-dates.ts"
import { applyEvent, INACTIVE, isActive, lockConnection, NOT_WAITING } from "../connect/connection-status.ts"
import {
  connectedElsewhere,
  endOtherMember,
  findOtherConnections,
  hasEarlierConnection,
  isOtherThanStored,
  ofAnotherPerson,
} from "../connect/shared-member.ts"
import { deleteHandled, type PendingEvent, type PostponedEvent, postponeEvents } from "../connect/vendor-events.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { noteArrivedHistory, requestNotifying } from "../jobs/request-notifying.ts"
import { queueBatch } from "../outbox/batch-events.ts"
import { hasWebhooks } from "../outbox/outbox.ts"
import { type Database, growDataVersion, personTransaction } from "../store/database.ts"
import { deleteRecords, deleteStandIns } from "../store/statements/delete-records.ts"
import { changeAndDerive } from "../store/statements/derive-dates.ts"
import { replaceJournal } from "../store/statements/journal.ts"
import { archivesBeside } from "../store/statements/project-archives.ts"
import { forgetRejected, forgetUnlisted, upsertRejected } from "../store/statements/rejected-records.ts"
import { storeProfile, upsertRecords } from "../store/statements/write-records.ts"
import { replaceLeftOutRecords, replaceSamples, storeSamplesOf } from "../store/statements/write-series.ts"
import { rangeOfChange, tellingRecords } from "../tell/record-events.ts"
import type { Fetched } from "./fetched.ts"
import { failureOfAll, type Gap } from "./gaps.ts"
import type { SampleReadWindow, SampleState } from "./sync-state.ts"
import type { SyncWindow } from "./sync-window.ts"

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
  /** False after the vendor has got older records. */
  readonly historyComplete?: boolean
  /** All that is lacking now of single collections. */
  readonly gaps?: readonly Gap[]
  readonly samples?: Partial<Omit<SampleState, "isRefused">> | undefined
}

interface Ingestion {
  /** Of the connection when the fetch began. After a disconnect or a new connect nothing is stored. */
  readonly generation: string
  readonly fetched?: Pick<Fetched, "records" | "rejected" | "deleted" | "journal" | "leftOut"> &
    Partial<Pick<Fetched, "read">>
  /** What was read whole. */
  readonly window?: SyncWindow | undefined
  readonly profile?: NormalizedProfile
  /** All samples of windows, of the collections that answered. */
  readonly samples?: readonly SamplesOfWindow<SampleWindow & Partial<SampleReadWindow>>[]
  readonly progress: Progress
  /** Events whose records were read. One with a further event meanwhile stays. */
  readonly handled?: readonly PendingEvent[]
  /** Events whose collection fails, and when it is asked again. */
  readonly postponed?: readonly PostponedEvent[]
  /** A part of a history, or its last one. Its records are not told one by one. @default the records are news */
  readonly backfill?: "part" | "completed" | undefined
  /** When the fetch began. No data is newer than this. */
  readonly asOf: Date
}

/**
 * Stores records and progress in one transaction. A repeat changes only the time of the last sync.
 * Returns false when the connection ended meanwhile, or ends because another account was connected to the same member before, or because
 * the member is not the one of the stored data. Then nothing is stored. If the other account was connected later, its connection ends.
 */
export async function ingest(context: Context, connection: ConnectionId, ingestion: Ingestion): Promise<boolean> {
  const { fetched, profile, samples = [], handled = [], postponed = [], asOf } = ingestion
  return personTransaction(context.database, connection.userId, async (transaction) => {
    const others = profile ? await findOtherConnections(transaction, context, connection, profile.data.providerId) : []
    const own = { ...connection, generation: ingestion.generation }
    if (await hasEarlierConnection(transaction, connection, others)) {
      await endOtherMember(transaction, context, own, connectedElsewhere(connection))
      return false
    }
    if (profile && (await isOtherThanStored(transaction, connection, profile))) {
      await endOtherMember(transaction, context, own, ofAnotherPerson(connection))
      return false
    }
    // The person is told once, also where the vendor gets older parts of the history later.
    const isFirst = ingestion.progress.historyComplete === true && (await isUntold(transaction, connection))
    const connected = await transaction
      .updateTable("connection")
      .set({
        ...columnsOf(ingestion.progress),
        ...(isFirst && { history_told_at: context.clock.now() }),
        ...{ failures: 0, retry_after: null, ...NOT_WAITING },
      })
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .where("generation", "=", ingestion.generation)
      .where("status", "not in", INACTIVE)
      .returning("gaps")
      .executeTakeFirst()
    if (!connected) return false
    for (const other of others) await endOtherMember(transaction, context, other, connectedElsewhere(connection))
    if (isFirst) await noteArrivedHistory(transaction, { ...connection, at: context.clock.now() })
    if (profile) await storeProfile(transaction, connection, profile, asOf)
    if (fetched) await storeFetched(transaction, context, connection, { ...ingestion, fetched })
    for (const { window, sets } of samples) await replaceSamples(transaction, connection, window, sets)
    await growDataVersion(transaction, connection.userId)
    const adapter = context.adapters.get(connection.provider)
    const reason = adapter && failureOfAll(connected.gaps, adapter.collections)
    await applyEvent(transaction, context, connection, reason ? { type: "vendor_failed", reason } : { type: "synced" })
    await postponeEvents(transaction, connection, postponed)
    // Last, so that a webhook about one of them waits only for the commit.
    await deleteHandled(transaction, connection, handled)
    return true
  })
}

async function isUntold(transaction: Transaction<Database>, connection: ConnectionId): Promise<boolean> {
  const stored = await lockConnection(transaction, connection)
  return stored?.history_complete === false && stored.history_told_at === null
}

async function storeFetched(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
  { fetched, window, backfill, asOf }: Ingestion & { readonly fetched: NonNullable<Ingestion["fetched"]> },
): Promise<void> {
  const archives = await archivesBeside(transaction, connection, fetched)
  const isTold = backfill === undefined && (await hasWebhooks(transaction, connection.userId))
  const range = isTold ? await rangeOfChange(transaction, connection, fetched) : undefined
  await tellingRecords(transaction, context, connection, range, async () => {
    await changeAndDerive(transaction, connection, fetched, async () => {
      await upsertRecords(transaction, connection, { records: fetched.records, latest: latestPossible(asOf) })
      await deleteRecords(transaction, connection, fetched.deleted)
      await deleteStandIns(transaction, connection, fetched.records)
    })
    await storeSamplesOf(transaction, connection, fetched.records)
    await archives.project()
  })
  if (fetched.records.some((record) => isOfMorning(record, asOf)))
    await requestNotifying(transaction, connection.userId)
  if (backfill === "completed")
    await queueBatch(transaction, context, connection.userId, { mode: "backfill", sources: [connection.provider] })
  if (window && fetched.leftOut) {
    const { leftOut, read = [] } = fetched
    await replaceLeftOutRecords(transaction, connection, window, { leftOut, read })
  }
  if (fetched.journal) await replaceJournal(transaction, connection, fetched.journal)
  await forgetRejected(transaction, connection, [...fetched.records, ...fetched.deleted])
  if (window?.to === null)
    await forgetUnlisted(transaction, connection, {
      kinds: RECORD_KINDS.filter((kind) => fetched.read?.includes(kind)),
      from: window.from,
      rejected: fetched.rejected,
    })
  await upsertRejected(transaction, connection, fetched.rejected, {
    seenAt: asOf,
    listedFrom: window?.from,
    version: context.version,
  })
}

/** A night that ended earlier is no news to anybody, wherever they are. */
const NEWS_MS = 2 * DAY_MS

/** Whether a record may complete the newest morning. A recovery may have no time of its own. */
const isOfMorning = (record: Fetched["records"][number], now: Date): boolean =>
  record.kind === "recovery" || (record.kind === "sleep" && record.endMs > now.getTime() - NEWS_MS)

const columnsOf = (progress: Progress) => ({
  ...(progress.lastSyncedAt && { last_synced_at: progress.lastSyncedAt }),
  ...(progress.listedAt && { listed_at: progress.listedAt }),
  ...(progress.refreshAt && { refresh_at: progress.refreshAt }),
  ...(progress.reconciledAt !== undefined && { reconciled_at: progress.reconciledAt }),
  ...(progress.isReconciliation && { reconciliations: sql<number>`reconciliations + 1` }),
  ...(progress.lastEventAt && { last_event_at: progress.lastEventAt }),
  ...(progress.fetchedBackTo && { fetched_back_to: earliest(progress.fetchedBackTo) }),
  ...(progress.historyComplete !== undefined && { history_complete: progress.historyComplete }),
  ...(progress.gaps && { gaps: JSON.stringify(progress.gaps) }),
  ...(progress.samples && sampleColumnsOf(progress.samples)),
})

const sampleColumnsOf = ({ readAt, until, backTo, goal }: NonNullable<Progress["samples"]>) => ({
  ...(readAt !== undefined && { samples_read_at: readAt }),
  ...(until !== undefined && { samples_until: until }),
  ...(backTo !== undefined && { samples_back_to: backTo }),
  ...(goal !== undefined && { samples_goal: goal }),
})

/** `least` ignores nulls. */
const earliest = (at: Date): RawBuilder<Date> => sql<Date>`least(fetched_back_to, ${at}::timestamptz)`

/** A rejected record is read again daily, this many times, and then with the next version of the software. */
const RETRY_MS = DAY_MS
const MOST_RETRIES = 7
/** Most records of one run. If a vendor changes all its shapes, new records still get calls. */
const BATCH = 500

/**
 * Schedules another read of rejected records: daily for a while, because the vendor may correct them, and once with each version of the
 * software, because a newer one may parse them. A reconciliation reads those without an id. Returns the number of records.
 */
export async function retryRejected({
  database,
  clock,
  version,
}: Pick<Context, "database" | "clock" | "version">): Promise<number> {
  const now = clock.now()
  const { rows } = await sql<{ count: number }>`
    with due as (
      update restwell.rejected_record r set
        retries = case when r.retried_by is distinct from ${version} then 1 else r.retries + 1 end,
        retried_by = ${version},
        retry_at = ${new Date(now.getTime() + RETRY_MS)}
      where (r.user_id, r.provider, r.kind, r.digest) in (
        select d.user_id, d.provider, d.kind, d.digest from restwell.rejected_record d
        join restwell.connection c using (user_id, provider)
        where ${isActive}
          and (d.retried_by is distinct from ${version}
            or (d.retry_at <= ${now} and d.retries < ${MOST_RETRIES} and d.seen_at <= ${new Date(now.getTime() - RETRY_MS)}))
        order by d.retry_at limit ${BATCH}
        for update of d skip locked for no key update of c skip locked)
      returning r.user_id, r.provider, r.kind, r.provider_id),
    again as (
      insert into restwell.vendor_event as e (user_id, provider, kind, named_by, provider_id, received_at, due_at)
      select distinct d.user_id, d.provider, d.kind, 'record', d.provider_id, ${now}::timestamptz, ${now}::timestamptz
      from due d where d.provider_id is not null
      on conflict do nothing),
    searched as (
      update restwell.connection c set reconciled_at = null, next_sync_at = least(c.next_sync_at, ${now}::timestamptz)
      where (c.user_id, c.provider) in (select d.user_id, d.provider from due d where d.provider_id is null))
    select count(*)::int as count from due
  `.execute(database)
  return rows[0]?.count ?? 0
}

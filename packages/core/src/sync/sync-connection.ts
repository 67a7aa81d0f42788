import {
  AuthorizationRevoked,
  type NormalizedProfile,
  ProviderError,
  RateLimited,
  VendorUnavailable,
} from "@restwell/providers"
import { applyEvent } from "../connection/states.ts"
import { adapterOf } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context.ts"
import { allEnded } from "./all-ended.ts"
import { fetchWindow } from "./fetch-window.ts"
import { findOlder } from "./find-older.ts"
import { ingest } from "./ingest.ts"
import { backfillWindow, RECONCILED_DAYS, refreshWindow, TRAILING_DAYS } from "./window.ts"
import { withAccessToken } from "./with-access-token.ts"

/** How often a connection is brought in step when nobody asks. Four calls each: 96 a day. */
const POLL_INTERVAL_MS = 60 * 60_000
const RECONCILE_INTERVAL_MS = 24 * 60 * 60_000
const PROFILE_LIFETIME_MS = 24 * 60 * 60_000
const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 30 * 60_000

/**
 * Brings one connection in step with its vendor: first the newest days, so that answers come within seconds of connecting, then
 * step by step the history before them, each step kept with its cursor, so that the next run goes on where this one ended.
 * What the vendor cannot give now is tried again later; the person's answers say so meanwhile.
 * @param signal asks to stop between two steps
 */
export async function syncConnection(context: Context, connection: ConnectionId, signal: AbortSignal): Promise<void> {
  try {
    const goesOn = await syncNewestDays(context, connection)
    const inStep = !goesOn || (await syncHistory(context, connection, signal))
    await scheduleNext(context, connection, inStep ? POLL_INTERVAL_MS : 0)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await settleFailure(context, connection, error)
  }
}

/** False when there is nothing to sync: the connection ended, or waits for the person. */
async function syncNewestDays(context: Context, connection: ConnectionId): Promise<boolean> {
  const stored = await readConnection(context, connection)
  if (!stored) return false
  const asOf = context.clock.now()
  const isReconciliation = isReconciliationDue(stored, asOf)
  const window = refreshWindow(asOf, stored.last_synced_at, isReconciliation ? RECONCILED_DAYS : TRAILING_DAYS)
  const [fetched, profile] = await allEnded([
    fetchWindow(context, connection, window),
    fetchProfileWhenOld(context, connection),
  ])
  return ingest(context, connection, {
    generation: stored.generation,
    fetched,
    ...(profile && { profile }),
    fetchedBackTo: window.from,
    historyComplete: false,
    isReconciliation,
    asOf,
  })
}

/** Once the history is there it is read again for late changes; a first connect has nothing to reconcile. */
const isReconciliationDue = ({ history_complete, reconciled_at }: StoredConnection, now: Date): boolean =>
  history_complete && (reconciled_at === null || reconciled_at.getTime() + RECONCILE_INTERVAL_MS <= now.getTime())

/** False when it was asked to stop before the history was complete. */
async function syncHistory(context: Context, connection: ConnectionId, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const stored = await readConnection(context, connection)
    if (!stored || stored.history_complete || stored.fetched_back_to === null) return true
    const window = backfillWindow(stored.fetched_back_to)
    const fetched = await fetchWindow(context, connection, window)
    const isEmpty = fetched.records.length === 0 && fetched.rejected.length === 0
    const older = isEmpty ? await findOlder(context, connection, window.from) : window.from
    const goesOn = await ingest(context, connection, {
      generation: stored.generation,
      fetched,
      fetchedBackTo: older ?? window.from,
      historyComplete: older === undefined,
      isReconciliation: older === undefined,
      asOf: context.clock.now(),
    })
    if (!goesOn) return true
  }
  return false
}

async function fetchProfileWhenOld(context: Context, connection: ConnectionId): Promise<NormalizedProfile | undefined> {
  const stored = await context.database
    .selectFrom("profile")
    .select("fetched_at")
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .executeTakeFirst()
  if (stored && stored.fetched_at.getTime() + PROFILE_LIFETIME_MS > context.clock.now().getTime()) return undefined
  const adapter = adapterOf(context, connection.provider)
  return withAccessToken(context, connection, (accessToken) => adapter.fetchProfile(accessToken))
}

type StoredConnection = NonNullable<Awaited<ReturnType<typeof readConnection>>>

function readConnection(context: Context, { userId, provider }: ConnectionId) {
  return context.database
    .selectFrom("connection")
    .select(["generation", "last_synced_at", "fetched_back_to", "history_complete", "reconciled_at"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("status", "not in", ["disconnected", "reauthorization_required"])
    .executeTakeFirst()
}

/** A spent budget is no fault of anyone: the work waits. A revoked grant is settled already. Anything else is the vendor's. */
async function settleFailure(context: Context, connection: ConnectionId, error: ProviderError): Promise<void> {
  context.logger.warn({ ...connection, error: error.name, reason: error.message }, "sync did not finish")
  if (error instanceof AuthorizationRevoked) return
  if (error instanceof RateLimited) return scheduleNext(context, connection, error.retryAfterSeconds * 1000)
  await context.database.transaction().execute(async (transaction) => {
    const failed = await transaction
      .updateTable("connection")
      .set((row) => ({ failures: row("failures", "+", 1) }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("failures")
      .executeTakeFirst()
    if (!failed) return
    await applyEvent(transaction, context, connection, { type: "vendor_failed", reason: error.message })
    const backOffMs = Math.min(FIRST_RETRY_MS * 2 ** (failed.failures - 1), LONGEST_RETRY_MS)
    const askedForMs = error instanceof VendorUnavailable ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    const retryMs = Math.max(backOffMs, askedForMs)
    await setNextSync(transaction, connection, new Date(context.clock.now().getTime() + retryMs))
  })
}

const scheduleNext = (context: Context, connection: ConnectionId, delayMs: number): Promise<void> =>
  setNextSync(context.database, connection, new Date(context.clock.now().getTime() + delayMs))

async function setNextSync(database: Context["database"], { userId, provider }: ConnectionId, at: Date): Promise<void> {
  await database
    .updateTable("connection")
    .set({ next_sync_at: at })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}

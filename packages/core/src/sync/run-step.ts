import { freshAccessToken } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { textOf } from "../store/delete-records.ts"
import { type PendingEvent, readPendingEvents } from "../webhook/pending-events.ts"
import { fetchProfile } from "./fetch-profile.ts"
import { fetchKind, fetchWindow } from "./fetch-window.ts"
import { findOlder } from "./find-older.ts"
import { type Fetched, ingest, type Progress } from "./ingest.ts"
import { nextRefresh, type SyncStep } from "./next-step.ts"
import { readEvents } from "./read-events.ts"
import { knowsAllOf } from "./stored-places.ts"
import type { SyncState } from "./sync-state.ts"
import { refreshWindow, type SyncWindow, TRAILING_DAYS } from "./window.ts"

type StepOf<Type extends SyncStep["type"]> = Extract<SyncStep, { type: Type }>

/** The open cycle began within this, unless the strap lies in a drawer. */
const OPEN_CYCLE_REACH_MS = 48 * 3_600_000

/** One run of one step. */
interface Run {
  readonly context: Context
  readonly connection: ConnectionId
  readonly state: SyncState
  /** Before the first call: no answer is fresher than this. */
  readonly asOf: Date
}

/**
 * Does one step: reads what it is about from the vendor, and keeps it with its cursor.
 * @throws {ProviderError} when the vendor does not give it now; nothing is kept then
 */
export async function runStep(
  context: Context,
  connection: ConnectionId,
  state: SyncState,
  step: SyncStep,
): Promise<void> {
  const purposeful = { ...context, adapters: context.adaptersFor(step.purpose) }
  const run: Run = { context: purposeful, connection, state, asOf: context.clock.now() }
  // Several calls at a time follow; a token that has to be renewed first, and cannot be, is asked for once.
  await freshAccessToken(purposeful, connection)
  switch (step.type) {
    case "profile":
      return runProfile(run)
    case "listing":
      return runListing(run, step)
    case "events":
      return runEvents(run)
    case "open_cycle":
      return runOpenCycle(run)
    case "history":
      return runHistory(run, step)
  }
}

async function runProfile({ context, connection, state: { generation }, asOf }: Run): Promise<void> {
  const profile = await fetchProfile(context, connection)
  await ingest(context, connection, { generation, profile, progress: {}, asOf })
}

async function runListing(
  run: Run,
  { window, isReconciliation }: Pick<StepOf<"listing">, "window" | "isReconciliation">,
) {
  const { context, connection, asOf } = run
  const events = await readPendingEvents(context, connection)
  const fetched = await fetchWindow(context, connection, window)
  await keep(run, fetched, listedEvents(events, fetched), {
    ...inStep(run, asOf),
    listedAt: asOf,
    fetchedBackTo: window.from,
    ...(isReconciliation && { reconciledAt: asOf, isReconciliation }),
  })
}

async function runEvents(run: Run): Promise<void> {
  const { context, connection } = run
  const events = await readPendingEvents(context, connection)
  const { fetched, isDoubtful } = await readEvents(context, connection, events)
  await keep(run, fetched, events, { ...inStep(run), ...(isDoubtful && { reconciledAt: null }) })
}

/** A cycle that nobody told of means that something else was missed: then everything of the last days is read. */
async function runOpenCycle(run: Run): Promise<void> {
  const { context, connection, state, asOf } = run
  const window: SyncWindow = { from: new Date(asOf.getTime() - OPEN_CYCLE_REACH_MS), to: null }
  const page = await fetchKind(context, connection, "cycle", window)
  if (await knowsAllOf(context, connection, page.records)) return keep(run, { ...page, deleted: [] }, [], inStep(run))
  return runListing(run, { window: refreshWindow(asOf, state.listedAt, TRAILING_DAYS), isReconciliation: false })
}

async function runHistory(run: Run, { window }: StepOf<"history">): Promise<void> {
  const { context, connection, asOf } = run
  const fetched = await fetchWindow(context, connection, window)
  const isEmpty = fetched.records.length === 0 && fetched.rejected.length === 0
  const older = isEmpty ? await findOlder(context, connection, window.from) : window.from
  await keep(run, fetched, [], {
    fetchedBackTo: older ?? window.from,
    // There is nothing older, and late changes of what is there were seen on the way.
    ...(older === undefined && { historyComplete: true, reconciledAt: asOf }),
  })
}

/** What the vendor had to tell at this moment is stored. */
function inStep({ state, asOf }: Run, listedAt = state.listedAt): Progress {
  return { lastSyncedAt: asOf, refreshAt: nextRefresh(state, listedAt, asOf) }
}

async function keep(
  { context, connection, state: { generation }, asOf }: Run,
  fetched: Fetched,
  handled: readonly PendingEvent[],
  progress: Progress,
): Promise<void> {
  const told = handled.map(({ receivedAt }) => receivedAt.getTime())
  await ingest(context, connection, {
    generation,
    fetched,
    handled,
    progress: { ...progress, ...(told.length > 0 && { lastEventAt: new Date(Math.max(...told)) }) },
    asOf,
  })
}

/** Events that a listing has answered: what they name is in it, as it is now. */
function listedEvents(events: readonly PendingEvent[], { records, rejected, deleted }: Fetched): PendingEvent[] {
  const keys = new Set([...records, ...rejected, ...deleted].map(textOf))
  const sleepsOfRecoveries = new Set(
    records.flatMap((record) => (record.kind === "recovery" ? [record.sleepProviderId] : [])),
  )
  return events.filter((event) =>
    event.namedBy === "sleep" ? sleepsOfRecoveries.has(event.providerId) : keys.has(textOf(event)),
  )
}

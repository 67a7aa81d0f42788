import { type CollectionGap, isPlausibleInstant } from "@restwell/providers"
import { type PendingEvent, readPendingEvents } from "../connect/vendor-events.ts"
import { openVendorSession, type VendorSession } from "../connect/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { textOf } from "../store/statements/delete-records.ts"
import { type Fetched, fetchKind, fetchWindow, findOlder, mergeGaps } from "./fetch-records.ts"
import { ingest, type Progress } from "./ingest.ts"
import { nextRefresh, type SyncStep } from "./next-step.ts"
import { areAllStored, readEvents } from "./read-events.ts"
import { listingWindow, reconciledSamples, type SyncState, type SyncWindow, sampleProgress } from "./sync-state.ts"

type StepOf<Type extends SyncStep["type"]> = Extract<SyncStep, { type: Type }>

/** One run of one step. */
interface Run {
  readonly context: Context
  readonly session: VendorSession
  readonly state: SyncState
  /** Before the first call: no data is newer than this. */
  readonly asOf: Date
}

/**
 * Runs one step: reads from the vendor, and stores the records with the progress.
 * @throws {ProviderError} when the vendor fails. Then nothing is stored
 */
export async function runStep(
  context: Context,
  connection: ConnectionId,
  state: SyncState,
  step: SyncStep,
): Promise<void> {
  const asOf = context.clock.now()
  const run: Run = { context, session: await openVendorSession(context, connection, step.purpose), state, asOf }
  switch (step.type) {
    case "profile":
      return runProfile(run)
    case "listing":
      return runListing(run, step)
    case "events":
      return runEvents(run)
    case "open_records":
      return runOpenRecords(run, step)
    case "history":
      return runHistory(run, step)
    case "samples":
      return runSamples(run, step)
  }
}

async function runProfile({ context, session, state: { generation }, asOf }: Run): Promise<void> {
  const profile = await session.fetchProfile()
  await ingest(context, session.connection, { generation, profile, progress: {}, asOf })
}

async function runListing(
  run: Run,
  { window, isReconciliation }: Pick<StepOf<"listing">, "window" | "isReconciliation">,
): Promise<void> {
  const { context, session, asOf } = run
  const events = await readPendingEvents(context, session.connection)
  const fetched = await fetchWindow(context, session, window)
  await store(run, fetched, listedEvents(events, fetched), {
    ...synced(run, fetched),
    listedAt: asOf,
    fetchedBackTo: window.from,
    ...(isReconciliation && {
      reconciledAt: asOf,
      isReconciliation,
      samples: reconciledSamples(session.policy, run.state, asOf),
    }),
    ...gapsAfterListing(run, fetched, window),
  })
}

async function runEvents(run: Run): Promise<void> {
  const { context, session, state } = run
  const events = await readPendingEvents(context, session.connection)
  const { fetched, hasRefused, hasForbidden } = await readEvents(context, session, events)
  // The reconciliation reads what the vendor refused by id, or finds out what it refuses altogether.
  const isUnexplained = hasRefused || (hasForbidden && state.gaps.length === 0)
  await store(run, fetched, events, { ...synced(run), ...(isUnexplained && { reconciledAt: null }) })
}

/** An unknown record means that an event was lost. Then the trailing days are listed. */
async function runOpenRecords(run: Run, { kind, window }: StepOf<"open_records">): Promise<void> {
  const { context, session, state, asOf } = run
  const fetched = await fetchKind(context, session, kind, window)
  if (await areAllStored(context, session.connection, fetched.records)) return store(run, fetched, [], synced(run))
  const trailing = listingWindow(asOf, state.listedAt, session.policy.listing.trailingDays)
  return runListing(run, { window: trailing, isReconciliation: false })
}

async function runHistory(run: Run, { window }: StepOf<"history">): Promise<void> {
  const { context, session, asOf } = run
  const fetched = await fetchWindow(context, session, window)
  const isEmpty = fetched.records.length === 0 && fetched.rejected.length === 0
  const older = isEmpty ? await findOlder(session, window.from) : window.from
  // A vendor that lists something in every window would never let the history end.
  const isComplete = older === undefined || !isPlausibleInstant(older)
  await store(run, fetched, [], {
    fetchedBackTo: older ?? window.from,
    // Reading the whole history has also found late changes.
    ...(isComplete && { historyComplete: true, reconciledAt: asOf }),
  })
}

/** What was read of samples before stays while they are refused. */
async function runSamples({ context, session, state, asOf }: Run, step: StepOf<"samples">): Promise<void> {
  const { window } = step
  const read = (await session.fetchSamples?.(window)) ?? { sets: [] }
  const times = read.sets.flatMap(({ samples }) => samples.map(({ atMs }) => atMs))
  const newest = times.reduce((latest, atMs) => Math.max(latest, atMs), Number.NEGATIVE_INFINITY)
  await ingest(context, session.connection, {
    generation: state.generation,
    ...(!read.gap && { samples: { window, sets: read.sets } }),
    progress: {
      samples: read.gap
        ? { gap: read.gap, readAt: asOf }
        : { gap: null, ...sampleProgress(state, step, asOf, times.length > 0 ? new Date(newest) : undefined) },
    },
    asOf,
  })
}

/** All that the vendor had at `asOf` is stored. @param listed what a listing found */
function synced({ session, state, asOf }: Run, listed?: Fetched): Progress {
  const next = nextRefresh(session.policy, state, listed ? asOf : state.listedAt, asOf)
  const { refreshAt: planned, gaps } = state
  // Only a listing looks for refused records, so nothing else postpones it. One that comes early and is refused too does not count.
  const hasLooked = listed && (listed.gaps.length === 0 || planned === null || planned <= asOf)
  const isKept = gaps.length > 0 && !hasLooked && planned !== null && planned < next
  return { lastSyncedAt: asOf, refreshAt: isKept ? planned : next }
}

/** A listing asks for every collection. Of one that was refused before, the history is read too. */
function gapsAfterListing({ state }: Run, { gaps }: Fetched, { from }: SyncWindow): Progress {
  return { gaps, ...(hasNewGap(state.gaps, gaps) && { historyRestartsAt: from }) }
}

/** A first refusal may last only a moment: look again soon. */
function withNewGaps({ session, state, asOf }: Run, { gaps }: Fetched, progress: Progress): Progress {
  if (!hasNewGap(gaps, state.gaps)) return progress
  const refreshAt = new Date(asOf.getTime() + session.policy.listing.pollEveryMs)
  return { gaps: mergeGaps([...state.gaps, ...gaps]), ...progress, refreshAt }
}

const hasNewGap = (gaps: readonly CollectionGap[], known: readonly CollectionGap[]): boolean =>
  gaps.some(({ collection }) => known.every((other) => other.collection !== collection))

async function store(run: Run, fetched: Fetched, handled: readonly PendingEvent[], progress: Progress): Promise<void> {
  const { context, session, state, asOf } = run
  const received = handled.map(({ receivedAt }) => receivedAt.getTime())
  const lastEvent = received.length > 0 && { lastEventAt: new Date(Math.max(...received)) }
  await ingest(context, session.connection, {
    generation: state.generation,
    fetched,
    handled,
    progress: { ...withNewGaps(run, fetched, progress), ...lastEvent },
    asOf,
  })
}

/** Returns the events whose records a listing has read. */
function listedEvents(events: readonly PendingEvent[], { records, rejected, deleted }: Fetched): PendingEvent[] {
  const parts = records.flatMap(({ kind, partIds = [] }) => partIds.map((providerId) => ({ kind, providerId })))
  const keys = new Set([...records, ...rejected, ...deleted, ...parts].map(textOf))
  const sleepsOfRecoveries = new Set(
    records.flatMap((record) => (record.kind === "recovery" ? [record.sleepProviderId] : [])),
  )
  return events.filter((event) =>
    event.namedBy === "sleep" ? sleepsOfRecoveries.has(event.providerId) : keys.has(textOf(event)),
  )
}

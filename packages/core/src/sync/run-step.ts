import { DAY_MS } from "@restwell/client/time-units"
import { failsAlone, isPlausibleInstant, neededBy, type RECORD_KINDS, type SampleRead } from "@restwell/providers"
import { collectionText } from "../connect/failure-texts.ts"
import { type PendingEvent, readPendingEvents } from "../connect/vendor-events.ts"
import { openVendorSession, type VendorSession } from "../connect/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { textOf } from "../store/statements/delete-records.ts"
import { fetchKind, findOlder, OF_WINDOWS } from "./fetch-records.ts"
import { fetchWindow } from "./fetch-window.ts"
import { collectionsOf, type Fetched, mergeFetched, NOTHING } from "./fetched.ts"
import { behindNeeded, type Failure, type Gap, gapsAfter, isOfWindows, leftOutOf } from "./gaps.ts"
import { ingest, type Progress } from "./ingest.ts"
import { findLateHistory } from "./late-history.ts"
import { nextRefresh, type SyncStep } from "./next-step.ts"
import { areAllStored, kindsOf, readEvents } from "./read-events.ts"
import {
  reconciledSamples,
  type SampleReadWindow,
  type SyncState,
  sampleProgress,
  samplesStoredUntil,
} from "./sync-state.ts"
import { listingWindow, type SyncWindow } from "./sync-window.ts"

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
 * Runs one step: reads from the vendor, and stores the records with the progress. A collection that fails is left out and gets a gap.
 * @throws {ProviderError} when the vendor fails as a whole. Then nothing is stored
 */
export async function runStep(
  context: Context,
  connection: ConnectionId,
  state: SyncState,
  step: SyncStep,
): Promise<void> {
  const asOf = context.clock.now()
  const without = leftOutOf(state, "window" in step ? step.window : { to: null }, asOf)
  const session = await openVendorSession(context, connection, { purpose: step.purpose, without })
  const run: Run = { context, session, state, asOf }
  switch (step.type) {
    case "profile":
      return runProfile(run)
    case "listing":
      return runListing(run, step)
    case "events":
      return runEvents(run)
    case "open_records":
      return runOpenRecords(run, step)
    case "collections":
      return runCollections(run, step)
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
  // Of a window of which some is unread, what was read is stored. The next step reads on in the same one.
  if (fetched.isPartial) return store(run, fetched, { window, handled: listedEvents(events, fetched), progress: {} })
  await store(run, fetched, {
    window,
    backfill: isAfterLongGap(run.state, asOf) ? "completed" : undefined,
    handled: listedEvents(events, fetched),
    progress: {
      ...synced(run, asOf),
      listedAt: asOf,
      fetchedBackTo: window.from,
      ...(isReconciliation && {
        reconciledAt: asOf,
        isReconciliation,
        samples: reconciledSamples(session.policy, run.state, asOf),
      }),
    },
  })
  if (isReconciliation) await findLateHistory(run)
}

async function runEvents(run: Run): Promise<void> {
  const { context, session, state } = run
  const events = await readPendingEvents(context, session.connection)
  const failing = state.gaps.flatMap(({ collection, failures }) => (failures > 0 ? [collection] : []))
  const { fetched, hasRefused, waiting } = await readEvents(context, session, { events, failing })
  await store(run, fetched, {
    handled: events.filter((event) => !waiting.includes(event)),
    waiting,
    // The reconciliation reads what the vendor refused by id, or finds out what it refuses altogether.
    progress: { ...synced(run), ...(hasRefused && { reconciledAt: null }) },
  })
}

/** An unknown record means that an event was lost. Then the trailing days are listed. */
async function runOpenRecords(run: Run, { kind, window }: StepOf<"open_records">): Promise<void> {
  const { context, session, state, asOf } = run
  const fetched = await fetchKind(context, session, kind, window)
  if (await areAllStored(context, session.connection, fetched.records))
    return store(run, fetched, { progress: synced(run) })
  const trailing = listingWindow(asOf, state.listedAt, session.policy.listing.trailingDays)
  return runListing(run, { window: trailing, isReconciliation: false })
}

/** Asks collections again that failed, or reads on in their past. */
async function runCollections(run: Run, { window, collections, purpose }: StepOf<"collections">): Promise<void> {
  const { context, session, state } = run
  const asked = state.gaps.filter(({ collection }) => collections.includes(collection))
  const holdings = OF_WINDOWS.filter((holding) => asked.some(({ holds }) => holds.includes(holding)))
  const fetched = await fetchWindow(context, session, window, holdings)
  const older = await findOlderOf(run, { window, asked, fetched })
  const backfill = purpose === "history" ? "part" : undefined
  await store(run, mergeFetched([fetched, older.fetched]), { window, backfill, gaps: older.gaps, progress: {} })
}

/** The history ended without these collections. The vendor may have older records of them than of the others: their gaps reach further then. */
async function findOlderOf(
  { context, session, state }: Run,
  {
    window,
    asked,
    fetched,
  }: { readonly window: SyncWindow; readonly asked: readonly Gap[]; readonly fetched: Fetched },
): Promise<{ readonly gaps: readonly Gap[]; readonly fetched: Fetched }> {
  const { gaps, historyComplete, fetchedBackTo } = state
  const isAtEnd = ({ collection, lacksFrom }: Gap) =>
    historyComplete &&
    fetchedBackTo !== null &&
    lacksFrom <= fetchedBackTo &&
    window.from <= lacksFrom &&
    fetched.answered.includes(collection)
  const ending = asked.filter(isAtEnd)
  if (ending.length === 0) return { gaps, fetched }
  const { at, failed } = await findOlder(
    context,
    session,
    window.from,
    ending.flatMap(({ holds }) => holds),
  )
  const lacksFrom = at && new Date(at.getTime() - session.policy.history.windowDays * DAY_MS)
  return {
    gaps: gaps.map((gap) =>
      ending.includes(gap) && lacksFrom && isPlausibleInstant(at) ? { ...gap, lacksFrom } : gap,
    ),
    fetched: { ...fetched, failed: [...fetched.failed, ...failed] },
  }
}

async function runHistory(run: Run, { window }: StepOf<"history">): Promise<void> {
  const { context, session, asOf } = run
  const fetched = await fetchWindow(context, session, window)
  const isEmpty = fetched.records.length === 0 && fetched.rejected.length === 0
  const older = isEmpty ? await findOlder(context, session, window.from) : { at: window.from, failed: [] }
  // A vendor that lists something in every window would never let the history end.
  const isComplete = older.at === undefined || !isPlausibleInstant(older.at)
  await store(
    run,
    // A collection may have failed in both reads.
    mergeFetched([fetched, { ...NOTHING, failed: older.failed }]),
    {
      window,
      backfill: isComplete ? "completed" : "part",
      progress: {
        fetchedBackTo: older.at ?? window.from,
        // Reading the whole history has also found late changes.
        ...(isComplete && { historyComplete: true, reconciledAt: asOf }),
      },
    },
  )
}

/** What was read of a collection of samples before stays while it cannot be read. */
async function runSamples(run: Run, step: StepOf<"samples">): Promise<void> {
  const { context, session, state, asOf } = run
  const { window } = step
  const all = collectionsOf(session, "samples")
  const leftOut = all.filter((name) => session.without.includes(name))
  const asked = all.filter((name) => !leftOut.includes(name))
  const { sets, failed, changedBefore, isPartial = false } = await fetchSamples(session, window, asked)
  const answered = asked.filter((name) => failed.every(({ collection }) => collection !== name))
  const gaps = sampleGaps(run, window, { failed, answered, leftOut })
  const times = sets.flatMap(({ samples }) => samples.map(({ atMs }) => atMs))
  const newest = times.reduce((latest, atMs) => Math.max(latest, atMs), Number.NEGATIVE_INFINITY)
  const keepsMissing = window.keepsMissing || isPartial
  const progress = sampleProgress(state, step, asOf, times.length > 0 ? new Date(newest) : undefined)
  await ingest(context, session.connection, {
    generation: state.generation,
    samples: [{ window: { ...window, keepsMissing }, sets }, ...(changedBefore ? [changedBefore] : [])],
    progress: { gaps, samples: answered.length > 0 ? progress : { readAt: asOf } },
    asOf,
  })
}

/** A gap of a collection of samples that fails reaches the present, and as far back as the others went on without it. */
function sampleGaps(
  run: Run,
  { from, to }: SampleReadWindow,
  { failed, answered, leftOut }: Pick<Fetched, "failed" | "answered"> & { readonly leftOut: readonly string[] },
): Gap[] {
  const { state, session, asOf } = run
  const { samples: policy } = session.policy
  const isPresent = to > asOf
  const read = { answered, leftOut, failures: [], window: { from, to: isPresent ? null : to }, asOf, storedUntil: null }
  const goesOn = answered.length > 0 && !isPresent
  return gapsAfter(gapsAfter(state.gaps, read), {
    failures: failed.map((one) => failureOf(run, one)),
    answered: [],
    leftOut: [],
    window: { from, to: null },
    asOf,
    storedUntil: policy && !goesOn ? samplesStoredUntil(policy, state.samples, asOf) : null,
  })
}

/** Returns what the collections of samples that were asked gave. An error is of all of them. */
async function fetchSamples(
  session: VendorSession,
  window: SampleReadWindow,
  asked: readonly string[],
): Promise<SampleRead & Pick<Fetched, "failed">> {
  try {
    return { failed: [], ...((await session.fetchSamples?.(window)) ?? { sets: [] }) }
  } catch (error) {
    if (asked.length === 0 || !failsAlone(error)) throw error
    return { sets: [], failed: asked.map((collection) => ({ collection, error })) }
  }
}

/** Days without a sync, of which nobody wants to hear night by night. */
const LONG_GAP_MS = 7 * DAY_MS

/** True if a listing brings days whose news are old. */
const isAfterLongGap = ({ historyComplete, lastSyncedAt }: SyncState, asOf: Date): boolean =>
  historyComplete && lastSyncedAt !== null && asOf.getTime() - lastSyncedAt.getTime() > LONG_GAP_MS

/** All that the vendor had at `asOf` is stored, apart from gaps. */
const synced = ({ session, state, asOf }: Run, listedAt: Date | null = state.listedAt): Progress => ({
  lastSyncedAt: asOf,
  refreshAt: nextRefresh(session.policy, state, listedAt, asOf),
})

interface Outcome {
  /** Of a read of a whole window. */
  readonly window?: SyncWindow
  readonly progress: Progress
  readonly handled?: readonly PendingEvent[]
  /** Events whose collection fails. */
  readonly waiting?: readonly PendingEvent[]
  /** Of a read of the past. @default news, after the first sync */
  readonly backfill?: "part" | "completed" | undefined
  /** Before this read. @default those of the state */
  readonly gaps?: readonly Gap[]
}

async function store(
  run: Run,
  fetched: Fetched,
  { window, progress, backfill, handled = [], waiting = [], gaps: before = run.state.gaps }: Outcome,
): Promise<void> {
  const { context, session, state, asOf } = run
  await requireAnswer(run, fetched)
  const after = gapsAfter(before, {
    failures: fetched.failed.map((failed) => failureOf(run, failed)),
    answered: fetched.answered.filter((name) => isReadWhole(session, fetched, name)),
    // Samples are read apart.
    leftOut: session.without.filter((name) => !collectionsOf(session, "samples").includes(name)),
    window,
    asOf,
    storedUntil: state.fetchedBackTo === null ? null : state.lastSyncedAt,
  })
  const gaps = behindNeeded(after, session.collections)
  const received = handled.map(({ receivedAt }) => receivedAt.getTime())
  await ingest(context, session.connection, {
    generation: state.generation,
    fetched,
    window,
    backfill: isLastPast(state, before, gaps) ? "completed" : (backfill ?? (state.lastSyncedAt ? undefined : "part")),
    handled,
    postponed: waiting.map((event) => ({ ...event, until: retryOf({ session, gaps, asOf }, event) ?? asOf })),
    progress: {
      ...(lacksReconciliation(state, gaps) && { reconciledAt: null }),
      ...progress,
      gaps,
      ...(received.length > 0 && { lastEventAt: new Date(Math.max(...received)) }),
    },
    asOf,
  })
}

/** True if the past of collections that answer again has been read to its end. */
const isLastPast = ({ historyComplete }: SyncState, before: readonly Gap[], after: readonly Gap[]): boolean =>
  historyComplete && before.some(isOfPast) && !after.some(isOfPast)

const isOfPast = (gap: Gap): boolean => isOfWindows(gap) && gap.lacksTo !== null

/** True if all that a collection holds was read. */
const isReadWhole = ({ collections }: VendorSession, { read }: Fetched, name: string): boolean =>
  collections.all.some((one) => one.name === name && one.holds.every((holding) => read.includes(holding)))

/** When the first of an event's failing collections is asked again. */
const retryOf = (
  { session, gaps, asOf }: Pick<Run, "session" | "asOf"> & { readonly gaps: readonly Gap[] },
  event: PendingEvent,
): Date | undefined =>
  gaps
    .filter(({ collection, retryAt }) => {
      const collections = kindsOf(event).flatMap((kind) => collectionsOf(session, kind))
      return retryAt > asOf && collections.includes(collection)
    })
    .map(({ retryAt }) => retryAt)
    .toSorted((one, other) => one.getTime() - other.getTime())[0]

/** True if a collection answers again that the last look for late changes left out. */
function lacksReconciliation({ gaps: before, reconciledAt }: SyncState, gaps: readonly Gap[]): boolean {
  const reachesPresent = ({ collection }: Gap) => gaps.some((gap) => gap.collection === collection && gap.failures > 0)
  return before.some(
    (gap) =>
      gap.failures > 0 &&
      reconciledAt !== null &&
      gap.since <= reconciledAt &&
      isOfWindows(gap) &&
      !reachesPresent(gap),
  )
}

/** The words for a collection that failed. The log has the cause. */
function failureOf({ context, session }: Run, failed: Fetched["failed"][number]): Failure {
  const { connection, collections } = session
  const { collection, error } = failed
  context.logger.warn(
    { ...connection, collection, error: error.name, reason: error.message },
    "a collection could not be read, the others go on",
  )
  const { title, holds } = collections.all.find(({ name }) => name === collection) ?? { title: collection, holds: [] }
  return { ...failed, title, holds, ...collectionText(connection.provider, failed, collections) }
}

/**
 * A vendor of which nothing answers fails as a whole, unless what was asked has failed before. If the read did not ask for the nights and the days, they are asked now.
 * @throws {ProviderError} of the read
 */
async function requireAnswer({ session, state, asOf }: Run, { failed, answered }: Fetched): Promise<void> {
  const isKnown = (name: string) => state.gaps.some(({ collection, failures }) => failures > 0 && collection === name)
  const first = failed.find(({ collection }) => !isKnown(collection))
  if (!first || answered.length > 0) return
  const essential = session.collections.all.filter(({ isEssential }) => isEssential)
  const others = essential.filter(({ name }) => failed.every(({ collection }) => collection !== name))
  for (const { name, holds } of others) {
    // The first that it holds is listed by it. Of the others it has parts, whose own collection may be the one that fails.
    const kind = holds.find((one) => one !== "journal" && one !== "samples")
    if (kind && (await isAnswering(session, { kind, name, asOf }))) return
  }
  throw first.error
}

async function isAnswering(
  session: VendorSession,
  { kind, name, asOf }: { readonly kind: (typeof RECORD_KINDS)[number]; readonly name: string; readonly asOf: Date },
): Promise<boolean> {
  try {
    const from = new Date(asOf.getTime() - DAY_MS)
    const { failed = [] } = await session.fetchPage({ kind, from, limit: 1, without: [] })
    const needs = neededBy(session.collections, name)
    return failed.every(({ collection }) => collection !== name && collection !== needs)
  } catch (error) {
    if (!failsAlone(error)) throw error
    return false
  }
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

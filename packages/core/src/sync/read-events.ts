import { type NormalizedRecord, RequestRefused } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import type { PendingEvent } from "../webhook/pending-events.ts"
import { allEnded } from "./all-ended.ts"
import { fetchRecord } from "./fetch-record.ts"
import { fetchKind } from "./fetch-window.ts"
import type { Fetched } from "./ingest.ts"
import { mergeFetched } from "./merge-fetched.ts"
import { findCycleOfSleep, findRecoveryOfSleep, findStart } from "./stored-places.ts"

const HOUR_MS = 3_600_000
/** A sleep begins and ends cycles, a workout adds to one: those that touch it lie within this. */
const CYCLE_REACH_MS = 36 * HOUR_MS

export interface ReadEvents {
  readonly fetched: Fetched
  /** True when the vendor refused to show one of them: then the last months are looked through instead. */
  readonly isDoubtful: boolean
}

/**
 * Reads again what the vendor told of: each record by itself, whatever the order and the number of times it was told, and then the cycles
 * they belong to, of which no event tells. An event names a record and carries no data: what counts is what the vendor answers now.
 */
export async function readEvents(
  context: Context,
  connection: ConnectionId,
  events: readonly PendingEvent[],
): Promise<ReadEvents> {
  const answers = await allEnded(events.map((event) => readEvent(context, connection, event)))
  const told = mergeFetched(answers.filter((answer) => answer !== "refused"))
  return {
    fetched: mergeFetched([told, ...(await readCyclesOf(context, connection, told.records))]),
    isDoubtful: answers.includes("refused"),
  }
}

async function readEvent(
  context: Context,
  connection: ConnectionId,
  event: PendingEvent,
): Promise<Fetched | "refused"> {
  const { kind, namedBy, providerId } = event
  try {
    if (namedBy === "sleep") return await readRecoveryOfSleep(context, connection, providerId)
    const fetched = await readConfirmed(context, connection, { kind, providerId })
    if (kind !== "sleep" || fetched.deleted.length === 0) return fetched
    // A recovery goes with its sleep, and its own event may be lost.
    const cycleId = await findRecoveryOfSleep(context, connection, providerId)
    if (cycleId === undefined) return fetched
    return mergeFetched([fetched, await readConfirmed(context, connection, { kind: "recovery", providerId: cycleId })])
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error
    // One record that the vendor refuses to show must not hold up the others.
    context.logger.warn({ ...connection, kind, reason: error.message }, "an event could not be read")
    return "refused"
  }
}

/** A recovery is named by its sleep, and found by its cycle. */
async function readRecoveryOfSleep(context: Context, connection: ConnectionId, sleepId: string): Promise<Fetched> {
  const stored =
    (await findCycleOfSleep(context, connection, sleepId)) ?? (await findRecoveryOfSleep(context, connection, sleepId))
  if (stored !== undefined) return readConfirmed(context, connection, { kind: "recovery", providerId: stored })
  const sleep = await fetchRecord(context, connection, { kind: "sleep", providerId: sleepId })
  const [record] = sleep.records
  if (record?.kind !== "sleep" || record.cycleProviderId === undefined) return sleep
  const key = { kind: "recovery", providerId: record.cycleProviderId } as const
  return mergeFetched([sleep, await readConfirmed(context, connection, key)])
}

/** What we have counts as deleted when the vendor neither finds it by its id nor lists it at its time: one of the two may be out of order. */
async function readConfirmed(
  context: Context,
  connection: ConnectionId,
  key: Parameters<typeof fetchRecord>[2],
): Promise<Fetched> {
  const fetched = await fetchRecord(context, connection, key)
  if (fetched.deleted.length === 0) return fetched
  const start = await findStart(context, connection, key)
  if (start === undefined) return fetched
  const window = { from: start, to: new Date(start.getTime() + 1000) }
  const { records, rejected } = await fetchKind(context, connection, key.kind, window)
  const isListed = [...records, ...rejected].some(({ providerId }) => providerId === key.providerId)
  return { records, rejected, deleted: isListed ? [] : fetched.deleted }
}

/**
 * The cycles that the sleeps and workouts among these belong to: those of the last days in one reading, older ones each in its own. What has no
 * score yet adds nothing to a cycle, and is told of again.
 */
async function readCyclesOf(
  context: Context,
  connection: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<Fetched[]> {
  const windows = cycleWindows(records, context.clock.now())
  const pages = await allEnded(windows.map((window) => fetchKind(context, connection, "cycle", window)))
  return pages.map((page) => ({ ...page, deleted: [] }))
}

function cycleWindows(records: readonly NormalizedRecord[], now: Date) {
  const touched = records.flatMap((record) =>
    (record.kind === "sleep" || record.kind === "workout") && record.scoreState !== "pending"
      ? [{ from: record.startedAt, to: record.endedAt }]
      : [],
  )
  const isRecent = ({ to }: { to: Date }) => to.getTime() > now.getTime() - 2 * CYCLE_REACH_MS
  const recent = touched.filter(isRecent).map(({ from }) => from.getTime())
  const older = touched.filter((interval) => !isRecent(interval))
  return [
    ...(recent.length > 0 ? [{ from: new Date(Math.min(...recent) - CYCLE_REACH_MS), to: null }] : []),
    ...older.map(({ from, to }) => ({
      from: new Date(from.getTime() - CYCLE_REACH_MS),
      to: new Date(to.getTime() + CYCLE_REACH_MS),
    })),
  ]
}

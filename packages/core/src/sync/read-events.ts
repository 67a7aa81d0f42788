import { DAY_MS } from "@restwell/client/time-units"
import {
  failsAlone,
  type NormalizedRecord,
  type OpenRecordPolicy,
  type RecordKind,
  RequestRefused,
} from "@restwell/providers"
import { sql } from "kysely"
import type { PendingEvent } from "../connect/vendor-events.ts"
import type { VendorSession } from "../connect/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/statements/delete-records.ts"
import { fetchKind, fetchRecord } from "./fetch-records.ts"
import { allSettled, collectionsOf, type Fetched, failedRead, mergeFetched } from "./fetched.ts"
import type { SyncWindow } from "./sync-window.ts"

/** Nights that are new began within this. */
const NEWEST_MS = 2 * DAY_MS

type Store = Pick<Context, "database">

const storedOf = ({ database }: Store, { userId, provider }: ConnectionId) =>
  database
    .selectFrom("record")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("from_archive", "=", false)

const storedOfKind = (store: Store, connection: ConnectionId, kind: RecordKind) =>
  storedOf(store, connection).where("kind", "=", kind)

/** Returns the id of the cycle that a stored sleep belongs to. */
async function findCycleOfSleep(store: Store, connection: ConnectionId, sleepId: string): Promise<string | undefined> {
  const query = storedOfKind(store, connection, "sleep").where("provider_id", "=", sleepId)
  return (await query.select("cycle_provider_id").executeTakeFirst())?.cycle_provider_id ?? undefined
}

/** Returns the id of the stored recovery of a sleep. */
async function findRecoveryOfSleep(
  store: Store,
  connection: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, "recovery").where("sleep_provider_id", "=", sleepId)
  return (await query.select("provider_id").executeTakeFirst())?.provider_id
}

/** Returns the start of a stored record, or undefined. */
async function findStart(
  store: Store,
  connection: ConnectionId,
  { kind, providerId }: RecordKey,
): Promise<Date | undefined> {
  const query = storedOfKind(store, connection, kind).where("provider_id", "=", providerId)
  return (await query.select("started_at").executeTakeFirst())?.started_at ?? undefined
}

/** Returns the id of the stored record that has a part with this id. */
async function findByPart(
  store: Store,
  connection: ConnectionId,
  { kind, providerId }: RecordKey,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, kind).where(
    sql<boolean>`(detail -> 'partIds')::jsonb @> to_jsonb(${providerId}::text)`,
  )
  return (await query.select("provider_id").executeTakeFirst())?.provider_id
}

/** Returns whether all of these are stored, in any version. */
export async function areAllStored(
  store: Store,
  connection: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<boolean> {
  if (records.length === 0) return true
  const ids = records.map(({ providerId }) => providerId)
  const query = storedOf(store, connection).where("provider_id", "in", ids)
  const rows = await query.select(["kind", "provider_id as providerId"]).execute()
  const stored = new Set(rows.map(textOf))
  return records.every((record) => stored.has(textOf(record)))
}

interface ReadEvents {
  readonly fetched: Fetched
  /** True when the vendor refused a record of a collection that has not failed so far. */
  readonly hasRefused: boolean
  /** Events whose collection fails. They are read when it is asked again. */
  readonly waiting: readonly PendingEvent[]
}

/**
 * Reads the records that events name, and the records around them that change without events. An event carries no data: the vendor's
 * current record counts, whatever the order and number of events.
 * @param failing collections that have failed before
 */
export async function readEvents(
  context: Context,
  session: VendorSession,
  { events, failing }: { readonly events: readonly PendingEvent[]; readonly failing: readonly string[] },
): Promise<ReadEvents> {
  const outcomes = await allSettled(
    events.map(async (event) => ({ event, outcome: await readEvent(context, session, { event, failing }) })),
  )
  const read = outcomes.flatMap(({ outcome }) => (outcome === "refused" ? [] : [outcome.fetched]))
  const waiting = outcomes.flatMap(({ event, outcome }) => (outcome !== "refused" && outcome.isWaiting ? [event] : []))
  const refused = outcomes.flatMap(({ event, outcome }) => (outcome === "refused" ? [event] : []))
  const named = mergeFetched(read)
  const around = await readOpenRecords(context, session, named.records, [...waiting, ...refused])
  return { fetched: mergeFetched([named, ...around]), hasRefused: refused.length > 0, waiting }
}

interface ReadEvent {
  readonly fetched: Fetched
  /** True when a collection fails that the record needs. */
  readonly isWaiting: boolean
}

/** True when the collection that lists a kind is not asked. */
const isLeftOut = (session: VendorSession, kind: RecordKind): boolean =>
  session.without.includes(collectionsOf(session, kind)[0] ?? "")

async function readEvent(
  context: Context,
  session: VendorSession,
  { event, failing }: { readonly event: PendingEvent; readonly failing: readonly string[] },
): Promise<ReadEvent | "refused"> {
  const { kind } = event
  if (isLeftOut(session, kind)) return { fetched: mergeFetched([]), isWaiting: true }
  try {
    const fetched = await readNamed(context, session, event)
    const { records, rejected, deleted, failed } = fetched
    const isFailing = failed.length > 0 || kindsOf(event).some((one) => isLeftOut(session, one))
    return { fetched, isWaiting: isFailing && records.length + rejected.length + deleted.length === 0 }
  } catch (error) {
    if (!failsAlone(error)) throw error
    const isKnownToFail = failing.includes(collectionsOf(session, kind)[0] ?? "")
    if (isKnownToFail || !(error instanceof RequestRefused))
      return { fetched: failedRead(session, kind, error), isWaiting: true }
    // One refused record must not block the others.
    context.logger.warn({ ...session.connection, kind, reason: error.message }, "could not read the record of an event")
    return "refused"
  }
}

/** The kinds that an event needs. */
export const kindsOf = ({ kind, namedBy }: PendingEvent): RecordKind[] =>
  namedBy === "sleep" ? [kind, "sleep"] : [kind]

async function readNamed(
  context: Context,
  session: VendorSession,
  { kind, namedBy, providerId }: PendingEvent,
): Promise<Fetched> {
  if (namedBy === "sleep") return readRecoveryOfSleep(context, session, providerId)
  const fetched = await readConfirmed(context, session, { kind, providerId })
  if (kind !== "sleep") return fetched
  if (fetched.deleted.length === 0) return mergeFetched([fetched, ...(await readAsRecovery(context, session, fetched))])
  // A deleted sleep deletes its recovery, whose own event may be lost.
  const recoveryId = await findRecoveryOfSleep(context, session.connection, providerId)
  if (recoveryId === undefined) return fetched
  const recovery = await readConfirmed(context, session, { kind: "recovery", providerId: recoveryId })
  return mergeFetched([fetched, recovery])
}

/** Where the collection of sleeps holds recoveries too, a night alone is one, with the id of its sleep. No event announces it. */
function readAsRecovery(context: Context, session: VendorSession, { records }: Fetched): Promise<Fetched[]> {
  const [list = ""] = collectionsOf(session, "sleep")
  const isOne = collectionsOf(session, "recovery").includes(list) && !isLeftOut(session, "recovery")
  const nights = records.filter((record) => isOne && record.kind === "sleep" && !record.isNap)
  return allSettled(nights.map(({ providerId }) => readConfirmed(context, session, { kind: "recovery", providerId })))
}

/** The event names the recovery by its sleep, and the vendor finds it by its cycle. */
async function readRecoveryOfSleep(context: Context, session: VendorSession, sleepId: string): Promise<Fetched> {
  const { connection } = session
  const stored =
    (await findCycleOfSleep(context, connection, sleepId)) ?? (await findRecoveryOfSleep(context, connection, sleepId))
  if (stored !== undefined) return readConfirmed(context, session, { kind: "recovery", providerId: stored })
  const sleep = isLeftOut(session, "sleep") ? mergeFetched([]) : await readSleep(context, session, sleepId)
  if (sleep instanceof RequestRefused || sleep.records.length + sleep.rejected.length + sleep.deleted.length === 0)
    return listRecoveryOfSleep(context, session, { sleepId, sleep })
  const [record] = sleep.records
  if (record?.kind !== "sleep" || record.cycleProviderId === undefined) return sleep
  const recovery = await readConfirmed(context, session, { kind: "recovery", providerId: record.cycleProviderId })
  return mergeFetched([sleep, recovery])
}

/** Returns the sleep, the failure of its collection, or the vendor's refusal, which may concern this sleep alone. */
async function readSleep(context: Context, session: VendorSession, sleepId: string): Promise<Fetched | RequestRefused> {
  try {
    return await fetchRecord(context, session, { kind: "sleep", providerId: sleepId })
  } catch (error) {
    return error instanceof RequestRefused && failsAlone(error) ? error : failedRead(session, "sleep", error)
  }
}

/** While sleep fails, the recovery of a new night is among the newest. @throws {RequestRefused} of the sleep, if it is not */
async function listRecoveryOfSleep(
  context: Context,
  session: VendorSession,
  { sleepId, sleep }: { readonly sleepId: string; readonly sleep: Fetched | RequestRefused },
): Promise<Fetched> {
  const from = new Date(context.clock.now().getTime() - NEWEST_MS)
  const listed = await fetchKind(context, session, "recovery", { from, to: null })
  const records = listed.records.filter((record) => record.kind === "recovery" && record.sleepProviderId === sleepId)
  const found = { ...listed, records, rejected: [] }
  if (!(sleep instanceof RequestRefused)) return mergeFetched([sleep, found])
  if (records.length === 0) throw sleep
  return found
}

/**
 * A stored record counts as deleted only if the vendor neither finds it by its id nor lists it at its time. If the id is that of a part
 * of a stored record, the part is gone, and the record is read again.
 */
async function readConfirmed(context: Context, session: VendorSession, key: RecordKey): Promise<Fetched> {
  const fetched = await fetchRecord(context, session, key)
  if (fetched.deleted.length === 0) return fetched
  const start = await findStart(context, session.connection, key)
  if (start === undefined) {
    const whole = await findByPart(context, session.connection, key)
    return whole === undefined ? fetched : readConfirmed(context, session, { kind: key.kind, providerId: whole })
  }
  const listed = await fetchKind(context, session, key.kind, { from: start, to: new Date(start.getTime() + 1000) })
  // A list that fails says nothing.
  const [failed] = listed.failed
  if (failed) throw failed.error
  // The merge drops the deletion of a listed record.
  return mergeFetched([listed, fetched])
}

/**
 * Reads the open records that changed with these: recent ones in one window, older ones in a window each. A record that cannot be read
 * may have changed the newest.
 */
async function readOpenRecords(
  context: Context,
  session: VendorSession,
  records: readonly NormalizedRecord[],
  waiting: readonly PendingEvent[],
): Promise<Fetched[]> {
  const { openRecords: open } = session.policy
  if (open === null) return []
  const now = context.clock.now()
  const windows = windowsAround(open, records, now)
  const isUnknown = waiting.some(({ kind }) => kind !== "recovery" && open.changedBy.includes(kind))
  const newest = isUnknown ? [{ from: new Date(now.getTime() - open.startedWithinMs), to: null }] : []
  return allSettled([...windows, ...newest].map((window) => fetchKind(context, session, open.kind, window)))
}

function windowsAround(
  { changedBy, reachMs }: OpenRecordPolicy,
  records: readonly NormalizedRecord[],
  now: Date,
): SyncWindow[] {
  const changes = records.flatMap((record) =>
    // A pending record changes nothing yet. Another event follows with its score.
    record.kind !== "recovery" && changedBy.includes(record.kind) && record.scoreState !== "pending"
      ? [{ fromMs: record.startMs - reachMs, toMs: (record.endMs ?? now.getTime()) + reachMs }]
      : [],
  )
  const isRecent = ({ toMs }: { toMs: number }) => toMs > now.getTime() - reachMs
  const recent = changes.filter(isRecent).map(({ fromMs }) => fromMs)
  const older = changes.filter((change) => !isRecent(change))
  return [
    ...(recent.length > 0 ? [{ from: new Date(Math.min(...recent)), to: null }] : []),
    ...older.map(({ fromMs, toMs }) => ({ from: new Date(fromMs), to: new Date(toMs) })),
  ]
}

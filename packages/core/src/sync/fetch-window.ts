/** Reads everything of a window, and finds the stored records that the vendor no longer has. */
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { type Holding, RECORD_KINDS, type RecordKind } from "@restwell/providers"
import type { VendorSession } from "../connect/vendor-session.ts"
import type { Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/statements/delete-records.ts"
import { fetchKind, fetchRecord, OF_WINDOWS } from "./fetch-records.ts"
import {
  allSettled,
  collectionsOf,
  confirmEach,
  FEW,
  type Fetched,
  failedRead,
  isLeftOut,
  mergeFetched,
  NOTHING,
} from "./fetched.ts"
import type { SyncWindow } from "./sync-window.ts"

/** What an open window reaches ahead: the date of the next waking, at any UTC offset. */
const DAYS_AHEAD = 2

/** Reads the journal of all dates that a window touches. Private topics are left out. A vendor that has no journal gives nothing. */
async function fetchJournal(session: VendorSession, { from, to }: SyncWindow, now: Date): Promise<Fetched> {
  if (!session.fetchJournal || isLeftOut(session, "journal")) return NOTHING
  const window = { from: utcDateOf(from), to: to ? utcDateOf(to) : addDays(utcDateOf(now), DAYS_AHEAD) }
  try {
    const { entries } = await session.fetchJournal(window)
    const journal = { ...window, entries: entries.filter(({ isPrivate }) => !isPrivate) }
    return { ...NOTHING, journal, answered: collectionsOf(session, "journal"), read: ["journal"] }
  } catch (error) {
    return failedRead(session, "journal", error)
  }
}

/**
 * Reads all kinds of a window to their last page. A stored record that is not listed counts as deleted only if it cannot be read by its
 * id either. Of a kind that is not read whole nothing is missing: its records are unknown. A collection that fails costs no other one.
 * @throws {ProviderError} of all collections, such as a limit or an ended grant
 */
export async function fetchWindow(
  context: Context,
  session: VendorSession,
  window: SyncWindow,
  holdings: readonly Holding[] = OF_WINDOWS,
): Promise<Fetched> {
  const kinds = RECORD_KINDS.filter((kind) => holdings.includes(kind))
  const journalRead = holdings.includes("journal") ? fetchJournal(session, window, context.clock.now()) : NOTHING
  const [journal, ...lists] = await allSettled([
    Promise.resolve(journalRead),
    ...kinds.map((kind) => fetchKind(context, session, kind, window)),
  ])
  const reads: Fetched[] = []
  // One after the other: each makes several calls at once.
  for (const [index, kind] of kinds.entries())
    reads.push(await withoutMissing(context, session, { kind, window, listed: lists[index] ?? NOTHING }))
  return mergeFetched([...reads, journal])
}

/** Finds the stored records of a kind that the vendor no longer has. */
async function withoutMissing(
  context: Context,
  session: VendorSession,
  { kind, window, listed }: { readonly kind: RecordKind; readonly window: SyncWindow; readonly listed: Fetched },
): Promise<Fetched> {
  if (collectionsOf(session, kind).some((name) => !listed.answered.includes(name))) return listed
  const missing = await findMissing(context, session, { kind, window, listed })
  try {
    const confirmed = await confirmMissing(context, session, withoutDoubtful(missing, listed))
    return mergeFetched([listed, ...confirmed])
  } catch (error) {
    return failedRead(session, kind, error)
  }
}

/** Rejected records without an id may be the missing ones. If many are missing, those of their kind are left as they are. */
function withoutDoubtful(missing: readonly RecordKey[], { rejected }: Fetched): readonly RecordKey[] {
  if (missing.length <= FEW) return missing
  const unidentified = new Set(rejected.flatMap(({ kind, providerId }) => (providerId === null ? [kind] : [])))
  return missing.filter(({ kind }) => !unidentified.has(kind))
}

/** Reads each missing record by its id. */
const confirmMissing = (context: Context, session: VendorSession, missing: readonly RecordKey[]): Promise<Fetched[]> =>
  confirmEach(session, missing, {
    read: (key) => fetchRecord(context, session, key),
    isThere: ({ deleted }) => deleted.length === 0,
  })

/** Returns stored records of the window that were not listed. A page can miss one while the vendor's list shifts. */
async function findMissing(
  { database }: Context,
  session: VendorSession,
  {
    kind,
    window: { from, to },
    listed: { records, rejected, unread = [], listedFrom },
  }: { readonly kind: RecordKind; readonly window: SyncWindow; readonly listed: Fetched },
): Promise<RecordKey[]> {
  const { userId, provider } = session.connection
  const listed = new Set([...records, ...rejected, ...unread].map(textOf))
  const beginnings = [from, listedFrom, await connectedSince(database, session, kind)]
  const begin = new Date(Math.max(...beginnings.flatMap((at) => (at ? [at.getTime()] : []))))
  let query = database
    .selectFrom("record")
    .select(["kind", "provider_id as providerId"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "=", kind)
    // The vendor's lists say nothing about what an archive brought.
    .where("from_archive", "=", false)
    .where("started_at", ">=", begin)
  if (to) query = query.where("started_at", "<", to)
  return (await query.execute()).filter((key) => !listed.has(textOf(key)))
}

/**
 * Returns when the person connected anew, for a kind that the vendor has only since then: what is stored of before is not missing. Undefined
 * for a first connection, before which nothing was stored.
 */
async function connectedSince(
  database: Context["database"],
  { connection: { userId, provider }, collections }: VendorSession,
  kind: RecordKind,
): Promise<Date | undefined> {
  if (!collections.all.some(({ holds, isSinceConnected }) => isSinceConnected && holds.includes(kind))) return undefined
  const { connected_at: at, first_connected_at: firstAt } = await database
    .selectFrom("connection")
    .select(["connected_at", "first_connected_at"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .executeTakeFirstOrThrow()
  return firstAt === null ? undefined : at
}

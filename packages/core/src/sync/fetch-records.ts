import {
  type CollectionGap,
  type NormalizedRecord,
  pageThrough,
  RECORD_KINDS,
  type RecordKind,
  type RejectedRecord,
  RequestRefused,
  VendorUnavailable,
} from "@restwell/providers"
import { sql } from "kysely"
import { addDays, latestPossible, utcDateOf } from "../base/calendar.ts"
import type { VendorSession } from "../connect/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/statements/delete-records.ts"
import type { FetchedJournal } from "../store/statements/journal.ts"
import type { SyncWindow } from "./sync-state.ts"

/**
 * Like Promise.all, but a failure is thrown only after all the other promises have settled. A sync that ended has no call in flight, so no
 * late answer of the vendor, such as a pause or a rejected token, affects the next sync.
 */
export async function allSettled<const Work extends readonly Promise<unknown>[]>(work: Work) {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/** Records that were read from a vendor. */
export interface Fetched {
  readonly records: readonly NormalizedRecord[]
  readonly rejected: readonly RejectedRecord[]
  /** Stored records that the vendor no longer has, each confirmed by its id. */
  readonly deleted: readonly RecordKey[]
  /** Present when the journal of a whole window was read. */
  readonly journal?: FetchedJournal
  /** What the vendor refused to give. Its records are unknown. */
  readonly gaps: readonly CollectionGap[]
}

/** Merges several reads. A record that one of them contains is not deleted. */
export function mergeFetched(reads: readonly Fetched[]): Fetched {
  const records = reads.flatMap((read) => read.records)
  const rejected = reads.flatMap((read) => read.rejected)
  const present = new Set([...records, ...rejected].map(textOf))
  const deleted = reads.flatMap((read) => read.deleted).filter((key) => !present.has(textOf(key)))
  return { records, rejected, deleted, gaps: mergeGaps(reads.flatMap((read) => read.gaps)) }
}

/** Returns one gap for each collection, by name. */
export const mergeGaps = (gaps: readonly CollectionGap[]): CollectionGap[] =>
  [...new Map(gaps.map((gap) => [gap.collection, gap])).values()].toSorted((one, other) =>
    one.collection < other.collection ? -1 : 1,
  )

/** People delete few records at a time. If a list lacks more, it may be wrong. */
const FEW = 8
/** Parallel calls. */
const CONFIRMED_AT_ONCE = 4

/**
 * Reads by id what a list lacks. If it lacks much and the vendor has some of it, the list is wrong and the other calls are saved.
 * @param isThere true for the read of something that the vendor has
 * @throws {VendorUnavailable}
 */
async function confirmEach<Lacking>(
  { connection }: VendorSession,
  lacking: readonly Lacking[],
  { read, isThere }: { read(one: Lacking): Promise<Fetched>; isThere(fetched: Fetched, one: Lacking): boolean },
): Promise<Fetched[]> {
  const confirmed: Fetched[] = []
  for (let start = 0; start < lacking.length; start += CONFIRMED_AT_ONCE) {
    const some = lacking.slice(start, start + CONFIRMED_AT_ONCE)
    const reads = await allSettled(some.map((one) => read(one).catch(nothingIfForbidden)))
    confirmed.push(...reads)
    const isWrong = some.some((one, index) => isThere(reads[index] ?? NOTHING, one))
    if (lacking.length > FEW && isWrong)
      throw new VendorUnavailable(`the lists of ${connection.provider} lack records that it has`)
  }
  return confirmed
}

const NOTHING = mergeFetched([])

/** What the vendor refuses is not gone. */
function nothingIfForbidden(error: unknown): Fetched {
  if (error instanceof RequestRefused && error.isForbidden) return NOTHING
  throw error
}

/** A record that was read without parts that its stored version has. */
interface RecordThatLacksParts extends RecordKey {
  /** Parts of the stored version. */
  readonly partIds: readonly string[]
}

/**
 * A part of a stored record counts as removed only if the vendor, asked for its id, does not have it: a list may leave one out. Records
 * that lack a part are read again with all parts that are stored. If the vendor refuses that, they are left out and stay as they are.
 * Of data with a gap, the parts are unknown.
 */
async function withLostParts(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  fetched: Fetched,
): Promise<Fetched> {
  if (fetched.gaps.length > 0) return fetched
  const lacking = await findRecordsThatLackParts(context, session.connection, fetched.records)
  if (lacking.length === 0) return fetched
  const reads = await confirmEach(session, lacking, {
    read: (one) => readWithParts(session, one),
    isThere: ({ records }, { partIds }) => records.some((record) => !isLacking(record, partIds)),
  })
  const keys = new Set(lacking.map(textOf))
  const whole = fetched.records.filter((record) => !keys.has(textOf(record)))
  return mergeFetched([{ ...fetched, records: whole }, ...reads])
}

async function readWithParts(session: VendorSession, request: RecordThatLacksParts): Promise<Fetched> {
  const { records, rejected, gaps = [] } = await session.fetchRecord(request)
  return { records: gaps.length > 0 ? [] : records, rejected, deleted: [], gaps }
}

const isLacking = ({ partIds = [] }: NormalizedRecord, stored: readonly string[]): boolean =>
  stored.some((partId) => !partIds.includes(partId))

/** An older version than the stored one is not stored, whatever it lacks. @see upsertRecords */
async function findRecordsThatLackParts(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<RecordThatLacksParts[]> {
  if (records.length === 0) return []
  const rows = await database
    .selectFrom("record")
    .select([
      "kind",
      "provider_id as providerId",
      "vendor_updated_at as updatedAt",
      sql<string[]>`detail -> 'partIds'`.as("partIds"),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "in", [...new Set(records.map(({ kind }) => kind))])
    .where("provider_id", "in", [...new Set(records.map(({ providerId }) => providerId))])
    .where("from_archive", "=", false)
    .where(sql<boolean>`detail ? 'partIds'`)
    .execute()
  const read = new Map(records.map((record) => [textOf(record), record]))
  const latest = latestPossible(clock.now())
  return rows.flatMap(({ updatedAt, ...stored }) => {
    const record = read.get(textOf(stored))
    const isStored = record && (record.updatedAt >= updatedAt || updatedAt > latest)
    return isStored && isLacking(record, stored.partIds) ? [stored] : []
  })
}

/** Reads one record. It counts as deleted when the vendor does not have it, and refuses nothing on the way. */
export async function fetchRecord(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  key: RecordKey,
): Promise<Fetched> {
  const { records, rejected, gaps = [] } = await session.fetchRecord(key)
  const isGone = records.length === 0 && rejected.length === 0 && gaps.length === 0
  return withLostParts(context, session, { records, rejected, deleted: isGone ? [key] : [], gaps })
}

/** What an open window reaches ahead: the date of the next waking, at any UTC offset. */
const DAYS_AHEAD = 2

/**
 * Reads the journal of all dates that a window touches. Private topics are left out. A vendor that has no journal gives nothing, and one
 * that refuses it a gap.
 * @throws {ProviderError}
 */
async function fetchJournal(
  session: VendorSession,
  { from, to }: SyncWindow,
  now: Date,
): Promise<{ readonly journal?: FetchedJournal; readonly gap?: CollectionGap }> {
  if (!session.fetchJournal) return {}
  const window = { from: utcDateOf(from), to: to ? utcDateOf(to) : addDays(utcDateOf(now), DAYS_AHEAD) }
  const { entries, gap } = await session.fetchJournal(window)
  return gap ? { gap } : { journal: { ...window, entries: entries.filter(({ isPrivate }) => !isPrivate) } }
}

/**
 * Reads all kinds of a window to their last page. A stored record that is not listed counts as deleted only if it cannot be read by its
 * id either. Of a kind that the vendor refuses in part nothing is missing: its records are unknown.
 * @throws {ProviderError}
 */
export async function fetchWindow(context: Context, session: VendorSession, window: SyncWindow): Promise<Fetched> {
  const lists = await allSettled(RECORD_KINDS.map((kind) => fetchKind(context, session, kind, window)))
  const listed = mergeFetched(lists)
  const known = RECORD_KINDS.filter((_, index) => lists[index]?.gaps.length === 0)
  const missing = (await findMissing(context, session, window, listed)).filter(({ kind }) => known.includes(kind))
  const { journal, gap } = await fetchJournal(session, window, context.clock.now())
  const merged = mergeFetched([listed, ...(await confirmMissing(context, session, withoutDoubtful(missing, listed)))])
  return { ...merged, gaps: mergeGaps([...merged.gaps, ...(gap ? [gap] : [])]), ...(journal && { journal }) }
}

/** Rejected records without an id may be the missing ones. If many are missing, those of their kind are left as they are. */
function withoutDoubtful(missing: readonly RecordKey[], { rejected }: Fetched): readonly RecordKey[] {
  if (missing.length <= FEW) return missing
  const unidentified = new Set(rejected.flatMap(({ kind, providerId }) => (providerId === null ? [kind] : [])))
  return missing.filter(({ kind }) => !unidentified.has(kind))
}

/** Reads one kind of a window to its last page. */
export async function fetchKind(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  kind: RecordKind,
  { from, to }: SyncWindow,
): Promise<Fetched> {
  const pages = await Array.fromAsync(pageThrough(session.fetchPage, { kind, from, ...(to && { to }) }))
  return withLostParts(context, session, {
    records: pages.flatMap((page) => page.records),
    rejected: pages.flatMap((page) => page.rejected),
    deleted: [],
    gaps: mergeGaps(pages.flatMap((page) => page.gaps ?? [])),
  })
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
  { connection: { userId, provider } }: VendorSession,
  { from, to }: SyncWindow,
  { records, rejected }: Fetched,
): Promise<RecordKey[]> {
  const listed = new Set([...records, ...rejected].map(textOf))
  let query = database
    .selectFrom("record")
    .select(["kind", "provider_id as providerId"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    // The vendor's lists say nothing about what an archive brought.
    .where("from_archive", "=", false)
    .where("started_at", ">=", from)
  if (to) query = query.where("started_at", "<", to)
  return (await query.execute()).filter((key) => !listed.has(textOf(key)))
}

/** Recoveries have no time of their own, so they are not needed to find older records. */
const TIMED_KINDS = ["cycle", "sleep", "workout"] as const

/**
 * Returns where the history continues before `before`: just after the newest older start. A pause without the device may last months.
 * Undefined when the vendor has nothing older. `before` itself when a record was rejected, because its start is unknown.
 */
export async function findOlder(session: VendorSession, before: Date): Promise<Date | undefined> {
  const pages = await allSettled(TIMED_KINDS.map((kind) => session.fetchPage({ kind, to: before, limit: 1 })))
  if (pages.some(({ rejected }) => rejected.length > 0)) return before
  const starts = pages
    .flatMap((page) => page.records)
    .flatMap((record) => (record.kind === "recovery" ? [] : [record.startedAt.getTime()]))
  return starts.length > 0 ? new Date(Math.max(...starts) + 1) : undefined
}

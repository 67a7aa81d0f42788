import {
  type FailedCollection,
  failsAlone,
  type Holding,
  type Json,
  type LeftOut,
  type NormalizedRecord,
  type Page,
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
import type { SyncWindow } from "./sync-window.ts"

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
  /** Collections that gave nothing. What they hold is unknown. */
  readonly failed: readonly FailedCollection[]
  /** Collections that gave what was asked for. */
  readonly answered: readonly string[]
  /** What a whole window was read of. */
  readonly read: readonly Holding[]
  /** What the vendor has in a whole window and hides, counted. Undefined where that was not read. */
  readonly leftOut?: readonly LeftOut[]
}

const NOTHING: Fetched = { records: [], rejected: [], deleted: [], failed: [], answered: [], read: [] }

/** Merges several reads. A record that one of them contains is not deleted, and a collection that failed in one has failed. */
export function mergeFetched(reads: readonly Fetched[]): Fetched {
  const records = reads.flatMap((read) => read.records)
  const rejected = reads.flatMap((read) => read.rejected)
  const present = new Set([...records, ...rejected].map(textOf))
  const deleted = reads.flatMap((read) => read.deleted).filter((key) => !present.has(textOf(key)))
  const failed = new Map(reads.flatMap((read) => read.failed).map((one) => [one.collection, one]))
  const answered = new Set(reads.flatMap((read) => read.answered))
  return {
    records,
    rejected,
    deleted,
    failed: [...failed.values()],
    answered: [...answered].filter((name) => !failed.has(name)),
    read: [...new Set(reads.flatMap((read) => read.read))],
    ...leftOutIn(reads),
  }
}

/** What several reads or pages found out about what the vendor hides. */
function leftOutIn(reads: readonly Pick<Fetched, "leftOut">[]): Pick<Fetched, "leftOut"> {
  const counted = reads.flatMap(({ leftOut }) => (leftOut ? [leftOut] : []))
  return counted.length === 0 ? {} : { leftOut: counted.flat() }
}

/** The names of the collections that have a part in records of a kind, or in the journal. The first one lists them. */
export const collectionsOf = ({ collections }: Pick<VendorSession, "collections">, holding: Holding): string[] =>
  collections.all.flatMap(({ name, holds }) => (holds.includes(holding) ? [name] : []))

/** True if nothing of it is asked. */
const isLeftOut = (session: VendorSession, holding: Holding): boolean =>
  collectionsOf(session, holding).every((name) => session.without.includes(name))

/** An error of a read concerns the collection that lists what was read. */
export function failedRead(session: VendorSession, holding: Holding, error: unknown): Fetched {
  const [collection] = collectionsOf(session, holding)
  if (collection === undefined || !failsAlone(error)) throw error
  return { ...NOTHING, failed: [{ collection, error }] }
}

/** What a page of a kind says about the collections of that kind. */
const collectionsOfPages = (session: VendorSession, kind: RecordKind, pages: readonly Page[]) => {
  const failed = pages.flatMap((page) => page.failed ?? [])
  const silent = [...session.without, ...failed.map(({ collection }) => collection)]
  return { failed, answered: collectionsOf(session, kind).filter((name) => !silent.includes(name)) }
}

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

/** What the vendor refuses is not gone. */
function nothingIfForbidden(error: unknown): Fetched {
  if (error instanceof RequestRefused && error.isForbidden) return NOTHING
  throw error
}

/** A record that was read without parts that its stored version has. */
interface RecordThatLacksParts extends RecordKey {
  /** Of the stored version. */
  readonly partIds: readonly string[]
  readonly raw: Json
}

/**
 * A part of a stored record counts as removed only if the vendor, asked for its id, does not have it: a list may leave one out. Records
 * that lack a part are read again with all parts that are stored. If the vendor refuses that, they are left out and stay as they are.
 * Parts of collections that failed or were not asked are unknown: the stored ones stay.
 */
async function withLostParts(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  read: Fetched,
): Promise<Fetched> {
  const unknown = [...session.without, ...read.failed.map(({ collection }) => collection)]
  const lackingAny = await findRecordsThatLackParts(context, session.connection, read.records, unknown.length > 0)
  if (lackingAny.length === 0) return read
  const fetched = withStoredParts(session, read, lackingAny, unknown)
  const current = new Map(fetched.records.map((record) => [textOf(record), record]))
  const lacking = lackingAny.filter((stored) => {
    const record = current.get(textOf(stored))
    return record && isLacking(record, stored.partIds)
  })
  if (lacking.length === 0) return fetched
  const reads = await confirmEach(session, lacking, {
    read: ({ raw: _raw, ...one }) => readWithParts(session, one, unknown),
    isThere: ({ records }, { partIds }) => records.some((record) => !isLacking(record, partIds)),
  })
  const keys = new Set(lacking.map(textOf))
  const whole = fetched.records.filter((record) => !keys.has(textOf(record)))
  return { ...mergeFetched([{ ...fetched, records: whole }, ...reads]), answered: fetched.answered }
}

/** A record without its known parts would replace one that has them. */
async function readWithParts(
  session: VendorSession,
  request: Omit<RecordThatLacksParts, "raw">,
  without: readonly string[],
): Promise<Fetched> {
  const { records, rejected, failed = [] } = await session.fetchRecord({ ...request, without })
  return { ...NOTHING, records: failed.length + without.length > 0 ? [] : records, rejected, failed }
}

/** Joins the stored parts of some collections to records that were read without them. */
function withStoredParts(
  { rejoin }: VendorSession,
  fetched: Fetched,
  lacking: readonly RecordThatLacksParts[],
  kept: readonly string[],
): Fetched {
  if (!rejoin || kept.length === 0) return fetched
  const stored = new Map(lacking.map(({ raw, ...key }) => [textOf(key), raw]))
  const kinds = Map.groupBy(
    fetched.records.filter((record) => stored.has(textOf(record))),
    ({ kind }) => kind,
  )
  const joined = [...kinds].flatMap(([kind, records]) => {
    const rejoins = records.map((record) => ({ raw: record.raw, stored: stored.get(textOf(record)) ?? null, kept }))
    return rejoin(kind, rejoins).records
  })
  return { ...fetched, records: [...fetched.records.filter((record) => !stored.has(textOf(record))), ...joined] }
}

const isLacking = ({ partIds = [] }: NormalizedRecord, stored: readonly string[]): boolean =>
  stored.some((partId) => !partIds.includes(partId))

/**
 * An older version than the stored one is not stored, whatever it lacks. With unknown parts its age is unknown too.
 * @see upsertRecords
 */
async function findRecordsThatLackParts(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
  hasUnknownParts: boolean,
): Promise<RecordThatLacksParts[]> {
  if (records.length === 0) return []
  const rows = await database
    .selectFrom("record")
    .select([
      "kind",
      "provider_id as providerId",
      "vendor_updated_at as updatedAt",
      "raw",
      sql<string[]>`detail -> 'partIds'`.as("partIds"),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "in", [...new Set(records.map(({ kind }) => kind))])
    .where("provider_id", "in", [...new Set(records.map(({ providerId }) => providerId))])
    .where("from_archive", "=", false)
    .where(sql<boolean>`detail -> 'partIds' is not null`)
    .execute()
  const read = new Map(records.map((record) => [textOf(record), record]))
  const latest = latestPossible(clock.now())
  return rows.flatMap(({ updatedAt, ...stored }) => {
    const record = read.get(textOf(stored))
    const isStored = record && (hasUnknownParts || record.updatedMs >= updatedAt.getTime() || updatedAt > latest)
    return isStored && isLacking(record, stored.partIds) ? [stored] : []
  })
}

/** Reads one record. It counts as deleted when the vendor does not have it, and nothing fails on the way. */
export async function fetchRecord(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  key: RecordKey,
): Promise<Fetched> {
  const page = await session.fetchRecord(key)
  const { records, rejected, failed = [] } = page
  const isGone = records.length === 0 && rejected.length === 0 && failed.length === 0
  const collections = collectionsOfPages(session, key.kind, [page])
  const fetched = { ...NOTHING, records, rejected, deleted: isGone ? [key] : [], ...collections }
  return withLostParts(context, session, fetched)
}

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

/** What is read of a window. */
export const OF_WINDOWS: readonly Holding[] = [...RECORD_KINDS, "journal"]

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
  const [{ journal, ...journalCollections }, ...lists] = await allSettled([
    Promise.resolve(journalRead),
    ...kinds.map((kind) => fetchKind(context, session, kind, window)),
  ])
  const reads: Fetched[] = []
  // One after the other: each makes several calls at once.
  for (const [index, kind] of kinds.entries())
    reads.push(await withoutMissing(context, session, { kind, window, listed: lists[index] ?? NOTHING }))
  return { ...mergeFetched([...reads, journalCollections]), ...(journal && { journal }) }
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

/** Reads one kind of a window to its last page. Returns nothing but the failure if the kind cannot be read. */
export async function fetchKind(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  kind: RecordKind,
  { from, to }: SyncWindow,
): Promise<Fetched> {
  if (isLeftOut(session, kind)) return NOTHING
  try {
    const pages = await Array.fromAsync(pageThrough(session.fetchPage, { kind, from, ...(to && { to }) }))
    return await withLostParts(context, session, {
      ...NOTHING,
      records: pages.flatMap((page) => page.records),
      rejected: pages.flatMap((page) => page.rejected),
      ...collectionsOfPages(session, kind, pages),
      read: [kind],
      ...leftOutIn(pages),
    })
  } catch (error) {
    return failedRead(session, kind, error)
  }
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
  {
    kind,
    window: { from, to },
    listed: { records, rejected },
  }: { readonly kind: RecordKind; readonly window: SyncWindow; readonly listed: Fetched },
): Promise<RecordKey[]> {
  const listed = new Set([...records, ...rejected].map(textOf))
  let query = database
    .selectFrom("record")
    .select(["kind", "provider_id as providerId"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "=", kind)
    // The vendor's lists say nothing about what an archive brought.
    .where("from_archive", "=", false)
    .where("started_at", ">=", from)
  if (to) query = query.where("started_at", "<", to)
  return (await query.execute()).filter((key) => !listed.has(textOf(key)))
}

/** Recoveries have no time of their own, so they are not needed to find older records. */
const TIMED_KINDS = ["cycle", "sleep", "workout"] as const

interface Older {
  /** Just after the newest older start. A pause without the device may last months. Undefined when the vendor has nothing older. */
  readonly at: Date | undefined
  readonly failed: readonly FailedCollection[]
}

/**
 * Finds where the history continues before `before`. It is `before` itself when a record was rejected, because its start is unknown.
 * @throws {ProviderError} when no kind answers
 */
export async function findOlder(
  session: VendorSession,
  before: Date,
  holdings: readonly Holding[] = OF_WINDOWS,
): Promise<Older> {
  const kinds = TIMED_KINDS.filter((kind) => holdings.includes(kind) && !isLeftOut(session, kind))
  const reads = await allSettled(
    kinds.map(async (kind): Promise<Fetched> => {
      try {
        const page = await session.fetchPage({ kind, to: before, limit: 1 })
        return { ...NOTHING, ...page, ...collectionsOfPages(session, kind, [page]) }
      } catch (error) {
        return failedRead(session, kind, error)
      }
    }),
  )
  const { records, rejected, failed, answered } = mergeFetched(reads)
  if (kinds.length > 0 && answered.length === 0 && failed[0]) throw failed[0].error
  if (rejected.length > 0) return { at: before, failed }
  const starts = records.flatMap((record) => (record.kind === "recovery" ? [] : [record.startMs]))
  return { at: starts.length > 0 ? new Date(Math.max(...starts) + 1) : undefined, failed }
}

/** What reads of a vendor gave: records, what is gone, and which collections answered. */
import {
  type FailedCollection,
  failsAlone,
  type Holding,
  type LeftOut,
  type NormalizedRecord,
  neededBy,
  type Page,
  type RecordKind,
  type RejectedRecord,
  RequestRefused,
  VendorUnavailable,
} from "@restwell/providers"
import type { VendorSession } from "../connect/vendor-session.ts"
import { type RecordKey, textOf } from "../store/statements/delete-records.ts"
import type { FetchedJournal } from "../store/statements/journal.ts"

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
  /** Records that the vendor has and that were not read. They are not missing. */
  readonly unread?: readonly RecordKey[]
  /** Some of them are to be read: the same window is read again. @default false */
  readonly isPartial?: boolean
  /** Of one kind: the vendor serves nothing older, so older records are not missing. Undefined where it serves all it has. */
  readonly listedFrom?: Date
}

export const NOTHING: Fetched = { records: [], rejected: [], deleted: [], failed: [], answered: [], read: [] }

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
    isPartial: reads.some(({ isPartial }) => isPartial),
    ...leftOutIn(reads),
    ...journalIn(reads),
  }
}

/** Reads of one step that have a journal have the same one. */
function journalIn(reads: readonly Fetched[]): Pick<Fetched, "journal"> {
  const journal = reads.find((read) => read.journal)?.journal
  return journal ? { journal } : {}
}

/** What several reads or pages found out about what the vendor hides. */
export function leftOutIn(reads: readonly Pick<Fetched, "leftOut">[]): Pick<Fetched, "leftOut"> {
  const counted = reads.flatMap(({ leftOut }) => (leftOut ? [leftOut] : []))
  return counted.length === 0 ? {} : { leftOut: counted.flat() }
}

/** The names of the collections that have a part in records of a kind, or in the journal. The first one lists them. */
export const collectionsOf = ({ collections }: Pick<VendorSession, "collections">, holding: Holding): string[] =>
  collections.all.flatMap(({ name, holds }) => (holds.includes(holding) ? [name] : []))

/** True if nothing of it is asked. */
export const isLeftOut = (session: VendorSession, holding: Holding): boolean =>
  collectionsOf(session, holding).every((name) => session.without.includes(name))

/** An error of a read concerns the collection that lists what was read. */
export function failedRead(session: VendorSession, holding: Holding, error: unknown): Fetched {
  const [collection] = collectionsOf(session, holding)
  if (collection === undefined || !failsAlone(error)) throw error
  return { ...NOTHING, failed: [{ collection, error }] }
}

/** What a page of a kind says about the collections of that kind. */
export const collectionsOfPages = (session: VendorSession, kind: RecordKind, pages: readonly Page[]) => {
  const failed = pages.flatMap((page) => page.failed ?? [])
  const silent = [...session.without, ...failed.map(({ collection }) => collection)]
  const isSilent = (name: string) => silent.includes(name) || silent.includes(neededBy(session.collections, name) ?? "")
  return { failed, answered: collectionsOf(session, kind).filter((name) => !isSilent(name)) }
}

/** People delete few records at a time. If a list lacks more, it may be wrong. */
export const FEW = 8
/** Parallel calls. */
const CONFIRMED_AT_ONCE = 4

/**
 * Reads by id what a list lacks. If it lacks much and the vendor has some of it, the list is wrong and the other calls are saved.
 * @param isThere true for the read of something that the vendor has
 * @throws {VendorUnavailable}
 */
export async function confirmEach<Lacking>(
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

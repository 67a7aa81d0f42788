// What a connection lacks of single collections of its vendor: pure.
//
// A connection has one progress: when it was listed, and how far back its history is read. A collection that fails gets a gap: the time
// of which its data is unknown. Reads go on without the collection until its own pause is over, then it is asked again. Once it answers,
// the gap is read from its newest end to its oldest, window by window, and ends.
import { MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import {
  type FailedCollection,
  type Holding,
  neededBy,
  RequestRefused,
  type VendorCollections,
  VendorUnavailable,
} from "@restwell/providers"
import { isAhead } from "../base/calendar.ts"
import type { StoredGap } from "../store/connection-tables.ts"
import type { SyncWindow } from "./sync-window.ts"

/** When the person last requested a sync. */
interface Requested {
  readonly personRequestedAt: Date | null
}

export interface Gap {
  /** The vendor's name of the collection. */
  readonly collection: string
  /** What people call it. */
  readonly title: string
  readonly holds: readonly Holding[]
  /** Why it gives nothing, and what helps. */
  readonly reason: string
  readonly nextStep: string
  readonly helpsReconnect: boolean
  /** When it failed first, and when it was asked last. */
  readonly since: Date
  readonly triedAt: Date
  /** When it is asked next. */
  readonly retryAt: Date
  /** In a row. Zero once it answers and its past is being read. */
  readonly failures: number
  /** Its data is unknown from here on. */
  readonly lacksFrom: Date
  /** Before this. Null for a gap that reaches the present. */
  readonly lacksTo: Date | null
}

export const gapOf = (stored: StoredGap): Gap => ({
  ...stored,
  since: new Date(stored.since),
  triedAt: new Date(stored.triedAt),
  retryAt: new Date(stored.retryAt),
  lacksFrom: new Date(stored.lacksFrom),
  lacksTo: stored.lacksTo === null ? null : new Date(stored.lacksTo),
})

/**
 * Why a vendor counts as unavailable although other collections answer: all of its essential ones fail, the nights and the days. Undefined
 * while one of them answers.
 */
export function failureOfAll(
  gaps: readonly Pick<StoredGap, "collection" | "failures" | "reason">[],
  { all }: VendorCollections,
): string | undefined {
  const essential = all.filter(({ isEssential }) => isEssential)
  const failing = essential.flatMap(({ name, needs }) => {
    const gap = gaps.find(({ collection, failures }) => failures > 0 && (collection === name || collection === needs))
    return gap ? [gap.reason] : []
  })
  return failing.length === essential.length ? failing[0] : undefined
}

/** True for a gap of records or of the journal. Samples have a progress of their own. */
export const isOfWindows = ({ holds }: Gap): boolean => !holds.includes("samples")

/** True when the collection is asked again: its pause is over, or the person has requested a sync since. */
export function isGapDue({ triedAt, retryAt }: Gap, { personRequestedAt }: Requested, now: Date): boolean {
  const isRequested = personRequestedAt !== null && personRequestedAt <= now && triedAt < personRequestedAt
  return isRequested || retryAt <= now || isAhead(triedAt, now)
}

/** Returns the collections that a read of a window leaves out: those whose pause is not over. */
export function leftOutOf(
  { gaps, personRequestedAt }: Requested & { readonly gaps: readonly Gap[] },
  { to }: Pick<SyncWindow, "to">,
  now: Date,
): string[] {
  const isLeftOut = (gap: Gap) =>
    gap.failures > 0 && (to !== null || gap.lacksTo === null) && !isGapDue(gap, { personRequestedAt }, now)
  return gaps.filter(isLeftOut).map(({ collection }) => collection)
}

/** The first pause and the longest. Pauses double. */
interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
}

/** What the vendor refuses stays refused more often than not, until a person does something. */
const OF_REFUSALS: Pauses = { firstMs: 30 * MINUTE_MS, longestMs: 120 * MINUTE_MS }
/** A cut connection or an error of the vendor's servers is over in seconds more often than not. */
const OF_BROKEN_ANSWERS: Pauses = { firstMs: 10 * SECOND_MS, longestMs: 30 * MINUTE_MS }
/**
 * A collection that hangs holds up each read that asks it. Another shape lasts. A token that ended again right after it was renewed is over at
 * once, or the whole connection is.
 */
const OF_OTHERS: Pauses = { firstMs: MINUTE_MS, longestMs: 30 * MINUTE_MS }

function pausesAfter(error: FailedCollection["error"]): Pauses {
  if (error instanceof RequestRefused) return OF_REFUSALS
  return error instanceof VendorUnavailable && !error.isTooSlow ? OF_BROKEN_ANSWERS : OF_OTHERS
}

function pauseMs(error: FailedCollection["error"], failures: number): number {
  const { firstMs, longestMs } = pausesAfter(error)
  const requestedMs = error instanceof VendorUnavailable ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  return Math.max(requestedMs, Math.min(firstMs * 2 ** (failures - 1), longestMs))
}

/** A collection that failed, with its words. */
export interface Failure extends FailedCollection {
  readonly title: string
  readonly holds: readonly Holding[]
  readonly reason: string
  readonly nextStep: string
  readonly helpsReconnect: boolean
}

/** What a read found out about the collections. */
export interface CollectionsRead {
  readonly failures: readonly Failure[]
  /** Collections of which the window was read whole. */
  readonly answered: readonly string[]
  /** Collections that were not asked. */
  readonly leftOut: readonly string[]
  /** Undefined for a read of single records. */
  readonly window: SyncWindow | undefined
  readonly asOf: Date
  /** All that the vendor had at this time is stored. Null before the first listing. */
  readonly storedUntil: Date | null
}

/** Returns the gaps after a read, by the name of the collection. */
export function gapsAfter(gaps: readonly Gap[], read: CollectionsRead): Gap[] {
  const kept = gaps.flatMap((gap) => {
    if (read.failures.some(({ collection }) => collection === gap.collection)) return []
    if (read.answered.includes(gap.collection) && read.window) return afterAnswer(gap, read.window, read.asOf)
    return [read.leftOut.includes(gap.collection) && read.window ? afterSkip(gap, read.window) : gap]
  })
  const failed = read.failures.map((failure) =>
    afterFailure(
      gaps.find(({ collection }) => collection === failure.collection),
      failure,
      read,
    ),
  )
  return [...kept, ...failed].toSorted((one, other) => (one.collection < other.collection ? -1 : 1))
}

function afterFailure(
  gap: Gap | undefined,
  { error, ...failure }: Failure,
  { window, asOf, storedUntil }: CollectionsRead,
): Gap {
  const failures = (gap?.failures ?? 0) + 1
  const to = window ? window.to : null
  const newest = storedUntil ?? window?.from ?? asOf
  const from = to === null ? newest : (window?.from ?? newest)
  return {
    ...failure,
    since: gap?.since ?? asOf,
    triedAt: asOf,
    retryAt: new Date(asOf.getTime() + pauseMs(error, failures)),
    failures,
    lacksFrom: earlier(gap?.lacksFrom ?? from, from),
    lacksTo: gap === undefined || to === null ? to : gap.lacksTo && later(gap.lacksTo, to),
  }
}

/** A collection that needs another one, which fails, is asked again together with that one. */
export const behindNeeded = (gaps: readonly Gap[], collections: VendorCollections): Gap[] =>
  gaps.map((gap) => {
    const needed = neededBy(collections, gap.collection)
    const failing = gaps.find(({ collection, failures }) => failures > 0 && collection === needed)
    if (!failing) return gap
    return { ...gap, triedAt: later(gap.triedAt, failing.triedAt), retryAt: later(gap.retryAt, failing.retryAt) }
  })

/** The part that was read is known. The rest is read next. */
function afterAnswer(gap: Gap, { from, to }: SyncWindow, asOf: Date): Gap[] {
  const { lacksFrom, lacksTo } = gap
  const reachesEnd = to === null || (lacksTo !== null && to >= lacksTo)
  if (!reachesEnd || (lacksTo !== null && from >= lacksTo)) return [gap]
  if (from <= lacksFrom) return []
  const texts = {
    reason: `what was missing of ${gap.title} is being read`,
    nextStep: "There is nothing to do",
    helpsReconnect: false,
  }
  return [{ ...gap, ...texts, triedAt: asOf, retryAt: asOf, failures: 0, lacksTo: from }]
}

/** The history went on without the collection. */
const afterSkip = (gap: Gap, { from, to }: SyncWindow): Gap =>
  to === null ? gap : { ...gap, lacksFrom: earlier(gap.lacksFrom, from) }

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
const later = (one: Date, other: Date): Date => (one > other ? one : other)

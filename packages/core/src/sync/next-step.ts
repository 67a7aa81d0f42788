import type { CallPurpose } from "@restwell/providers"
import type { SyncState } from "./sync-state.ts"
import { backfillWindow, RECONCILED_DAYS, refreshWindow, type SyncWindow, TRAILING_DAYS } from "./window.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The clocks of two machines of one service differ by less. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/** One thing to do for a connection; each is kept with its cursor before the next. */
export type SyncStep =
  /** Who the person is to the vendor. */
  | { readonly type: "profile"; readonly purpose: CallPurpose }
  /** All kinds of a window that reaches into the present, to their last page. */
  | {
      readonly type: "listing"
      readonly purpose: CallPurpose
      readonly window: SyncWindow
      /** True when late changes of the whole window count as seen. */
      readonly isReconciliation: boolean
    }
  /** The records the vendor told of. */
  | { readonly type: "events"; readonly purpose: CallPurpose }
  /** The cycle that still grows: no event tells of it. */
  | { readonly type: "open_cycle"; readonly purpose: CallPurpose }
  /** A window of the years before. */
  | { readonly type: "history"; readonly purpose: CallPurpose; readonly window: SyncWindow }

/** Without events a vendor is asked for news this often: four calls each time. */
const POLL_MS = HOUR_MS
/**
 * With events only the open cycle is asked for, which no event tells of: one call, so long after the night's reading, in the evening of most people;
 * not where an event led to it within the second figure before.
 */
const EVENING_MS = 14 * HOUR_MS
const READ_JUST_BEFORE_MS = 6 * HOUR_MS
/** A score comes within half an hour, and an event tells of it; one that was seen without its score is looked after in case that is lost. */
const SCORE_MS = 2 * HOUR_MS
/**
 * The trailing days are read again every night. The event of the night takes the reading along, which then costs little more than the night alone;
 * so does any event once they were last read this long ago; else it is made at the latest after the third figure, which lets people sleep late.
 */
const LISTING_AGE_AT_SLEEP_MS = 6 * HOUR_MS
const LISTING_AGE_MS = 16 * HOUR_MS
const LONGEST_LISTING_AGE_MS = 30 * HOUR_MS
/** So long without an event of a person who sleeps every night, and events are not relied on: the vendor is asked instead. */
const SILENCE_MS = 30 * HOUR_MS
/** Where many people share the app, so long without any event tells the same; and an event of others tells that silence means nothing new. */
const SILENCE_OF_ALL_MS = 2 * HOUR_MS
/**
 * Late changes further back: events tell of them, so a look for lost ones is rare; without events it is daily. The first is made a day after the
 * history came in any case: lists shift under one who pages through years, and what was missed then shows.
 */
const RECONCILE_TOLD_MS = 30 * DAY_MS
const RECONCILE_POLLED_MS = DAY_MS
/** Who somebody is changes rarely; where the person asks for a sync, it is looked at once a day. */
const PROFILE_MS = 30 * DAY_MS
const ASKED_PROFILE_MS = DAY_MS
/** More events than this are cheaper to read as lists; what no list shows is read one by one after it. */
const MOST_SINGLE_EVENTS = 8
const LISTED_JUST_NOW_MS = 60_000

/** What to do now; undefined when everything is in step. */
export function nextStep(state: SyncState, now: Date): SyncStep | undefined {
  if (state.memberId === null) return { type: "profile", purpose: "person" }
  // What the vendor told of never waits behind what has a smaller share of the budget.
  if (state.pendingEvents > 0)
    return isListingWorthwhile(state, now)
      ? listing(state, now, TRAILING_DAYS, "event")
      : { type: "events", purpose: "event" }
  const purpose = listingPurpose(state, now)
  if (purpose !== undefined) return listing(state, now, TRAILING_DAYS, purpose)
  if (isOlder(state.profileFetchedAt, state.reconciledAt === null ? ASKED_PROFILE_MS : PROFILE_MS, now))
    return { type: "profile", purpose: "reconciliation" }
  if (isReconciliationDue(state, now))
    return listing(state, now, RECONCILED_DAYS, state.reconciledAt === null ? "person" : "reconciliation")
  if (isRefreshDue(state, now)) return { type: "open_cycle", purpose: "refresh" }
  if (!state.historyComplete && state.fetchedBackTo !== null)
    return { type: "history", purpose: "history", window: backfillWindow(state.fetchedBackTo) }
  return undefined
}

/** When there may be something to do again, unless the vendor tells before. */
export function nextWakeUp(state: SyncState, now: Date): Date {
  if (!state.historyComplete) return now
  const times = [
    refreshAt(state, now)?.getTime() ?? now.getTime(),
    ...(isTold(state, now) ? [silentAt(state)] : []),
    (state.listedAt?.getTime() ?? 0) + LONGEST_LISTING_AGE_MS,
    (state.reconciledAt?.getTime() ?? 0) + reconcileEvery(state, now),
  ]
  return new Date(Math.max(now.getTime(), Math.min(...times)))
}

/** When news are asked for next, after something was asked for now. @param listedAt when the trailing days were last read, now among it */
export function nextRefresh(state: SyncState, listedAt: Date | null, now: Date): Date {
  if (!isTold(state, now) || listedAt === null) return new Date(now.getTime() + POLL_MS)
  const evening = listedAt.getTime() + EVENING_MS
  return new Date(
    now.getTime() + READ_JUST_BEFORE_MS <= evening ? evening : listedAt.getTime() + LONGEST_LISTING_AGE_MS,
  )
}

/** True while the vendor can be trusted to tell of changes. */
const isTold = ({ lastEventAt, lastEventOfVendorAt }: SyncState, now: Date): boolean =>
  !isOlder(lastEventAt, SILENCE_MS, now) || !isOlder(lastEventOfVendorAt, SILENCE_OF_ALL_MS, now)

/** When it can be trusted no more, should it tell of nothing until then. */
const silentAt = ({ lastEventAt, lastEventOfVendorAt }: SyncState): number =>
  Math.max((lastEventAt?.getTime() ?? 0) + SILENCE_MS, (lastEventOfVendorAt?.getTime() ?? 0) + SILENCE_OF_ALL_MS)

/** True when events are better answered by lists than one by one. */
const isListingWorthwhile = ({ listedAt, pendingEvents, hasPendingSleep }: SyncState, now: Date): boolean =>
  isOlder(listedAt, hasPendingSleep ? LISTING_AGE_AT_SLEEP_MS : LISTING_AGE_MS, now) ||
  (pendingEvents > MOST_SINGLE_EVENTS && isOlder(listedAt, LISTED_JUST_NOW_MS, now))

/** What the trailing days are listed for now; undefined when they need not be. */
function listingPurpose(state: SyncState, now: Date): CallPurpose | undefined {
  if (state.listedAt === null) return "person"
  // A wider window is about to be read for somebody who waits: it holds the trailing days.
  if (isReconciliationDue(state, now)) return undefined
  if (isOlder(state.listedAt, LONGEST_LISTING_AGE_MS, now)) return "reconciliation"
  return isRefreshDue(state, now) && (!isTold(state, now) || state.awaitsScores) ? "refresh" : undefined
}

/** Once the history is there it is read again for late changes; a first connect has nothing to reconcile. */
const isReconciliationDue = (state: SyncState, now: Date): boolean =>
  state.historyComplete && isOlder(state.reconciledAt, reconcileEvery(state, now), now)

const reconcileEvery = (state: SyncState, now: Date): number =>
  state.reconciliations > 0 && isTold(state, now) ? RECONCILE_TOLD_MS : RECONCILE_POLLED_MS

function isRefreshDue(state: SyncState, now: Date): boolean {
  const { requestedAt, lastSyncedAt } = state
  const at = refreshAt(state, now)
  // Further ahead than any is set: a clock that was wrong wrote it.
  if (at === null || at <= now || at.getTime() > now.getTime() + LONGEST_LISTING_AGE_MS) return true
  return requestedAt !== null && requestedAt <= now && (lastSyncedAt === null || requestedAt > lastSyncedAt)
}

/** When news are due to be asked for: sooner than was planned where the vendor has fallen silent since, or a score is awaited. */
function refreshAt(state: SyncState, now: Date): Date | null {
  const { refreshAt: planned, lastSyncedAt, awaitsScores } = state
  if (planned === null || lastSyncedAt === null || isAhead(lastSyncedAt, now)) return null
  const soonest = isTold(state, now) ? (awaitsScores ? SCORE_MS : Number.POSITIVE_INFINITY) : POLL_MS
  return new Date(Math.min(planned.getTime(), lastSyncedAt.getTime() + soonest))
}

const listing = (state: SyncState, now: Date, days: number, purpose: CallPurpose): SyncStep => ({
  type: "listing",
  purpose,
  window: refreshWindow(now, state.listedAt, days),
  isReconciliation: days === RECONCILED_DAYS,
})

const isOlder = (at: Date | null, age: number, now: Date): boolean =>
  at === null || at.getTime() + age <= now.getTime() || isAhead(at, now)

/** What has happened lies ahead only where a clock was wrong when it was written. */
const isAhead = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + CLOCKS_DIFFER_MS

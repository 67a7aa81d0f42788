import { DAY_MS } from "@restwell/client/time-units"
import type { CallPurpose, RecordKind, SyncPolicy } from "@restwell/providers"
import { isAhead } from "../base/calendar.ts"
import { type Gap, isGapDue, isOfWindows } from "./gaps.ts"
import { newestSamplesWindow, pastSamplesWindow, type SampleReadWindow, type SyncState } from "./sync-state.ts"
import { historyWindow, listingWindow, type SyncWindow } from "./sync-window.ts"

/** One step of a sync. Each is stored with its progress before the next. */
export type SyncStep =
  | { readonly type: "profile"; readonly purpose: CallPurpose }
  /** Reads all kinds of a window up to the present. */
  | {
      readonly type: "listing"
      readonly purpose: CallPurpose
      readonly window: SyncWindow
      /** True when the window is long enough to find late changes. */
      readonly isReconciliation: boolean
    }
  /** Reads the records that events name. */
  | { readonly type: "events"; readonly purpose: CallPurpose }
  /** Reads the newest records of a kind that changes without events. */
  | {
      readonly type: "open_records"
      readonly purpose: CallPurpose
      readonly kind: RecordKind
      readonly window: SyncWindow
    }
  /** Asks collections again that failed. A window of the past has the purpose `history`. */
  | {
      readonly type: "collections"
      readonly purpose: "refresh" | "history"
      readonly window: SyncWindow
      /** By the vendor's names. */
      readonly collections: readonly string[]
    }
  /** Reads a window of the past. */
  | { readonly type: "history"; readonly purpose: CallPurpose; readonly window: SyncWindow }
  /** Reads values within the day that are no parts of records. Those of the past have the purpose `history`. */
  | { readonly type: "samples"; readonly purpose: "refresh" | "history"; readonly window: SampleReadWindow }

/** Returns what to do now. Undefined when everything is up to date. */
export function nextStep(policy: SyncPolicy, state: SyncState, now: Date): SyncStep | undefined {
  // Events find the person by the profile.
  if (state.memberId === null && !state.skipsProfile) return { type: "profile", purpose: "person" }
  // Events go first: the other steps have smaller shares of the call budget.
  if (state.pendingEvents > 0)
    return isListingCheaper(policy, state, now)
      ? listing(policy, state, now, "event")
      : { type: "events", purpose: "event" }
  const purpose = listingPurpose(policy, state, now)
  if (purpose !== undefined) return listing(policy, state, now, purpose)
  if (!state.skipsProfile && isOlder(state.profileFetchedAt, policy.profile.maxAgeMs, now))
    return { type: "profile", purpose: "reconciliation" }
  if (isReconciliationDue(policy, state, now))
    return reconciliation(policy, state, now, state.reconciledAt === null ? "person" : "reconciliation")
  if (isRefreshDue(policy, state, now)) return openRecords(policy, now) ?? listing(policy, state, now, "refresh")
  const collections = failedCollections(policy, state, now)
  if (collections) return collections
  if (policy.samples && areSamplesDue(state, now))
    return { type: "samples", purpose: "refresh", window: newestSamplesWindow(policy.samples, state.samples, now) }
  // Requests have a small share of the budget. One that waits must not hold up the steps above.
  const request = requested(policy, state, now)
  if (request) return request
  const pastOfCollection = pastOfCollections(policy, state, now)
  if (pastOfCollection) return pastOfCollection
  if (!state.historyComplete && state.fetchedBackTo !== null) {
    const window = historyWindow(state.fetchedBackTo, policy.history.windowDays)
    return { type: "history", purpose: "history", window }
  }
  const past = policy.samples ? pastSamplesWindow(policy.samples, state, now) : undefined
  return past && { type: "samples", purpose: "history", window: past }
}

/** Collections that gave nothing of the newest days are asked together. */
function failedCollections(policy: SyncPolicy, state: SyncState, now: Date): SyncStep | undefined {
  const due = dueGaps(state, now).filter(({ lacksTo }) => lacksTo === null)
  if (due.length === 0 || state.fetchedBackTo === null) return undefined
  const window = listingWindow(now, state.listedAt, policy.listing.trailingDays)
  return { type: "collections", purpose: "refresh", window, collections: due.map(({ collection }) => collection) }
}

/** The past of a collection that gave nothing for a while is read back to where it is known, newest days first. */
function pastOfCollections({ history }: SyncPolicy, state: SyncState, now: Date): SyncStep | undefined {
  for (const { lacksFrom, lacksTo: to, collection } of dueGaps(state, now)) {
    if (to === null) continue
    const from = new Date(Math.max(lacksFrom.getTime(), to.getTime() - history.windowDays * DAY_MS))
    return { type: "collections", purpose: "history", window: { from, to }, collections: [collection] }
  }
  return undefined
}

const dueGaps = (state: SyncState, now: Date): Gap[] =>
  state.gaps.filter((gap) => isOfWindows(gap) && isGapDue(gap, state, now))

/**
 * The newest samples are read after each sync, because they have no events, and when a collection that fails is asked again. While all of
 * their collections fail, they have its pause.
 */
function areSamplesDue(state: SyncState, now: Date): boolean {
  const { samples, lastSyncedAt, gaps } = state
  const { readAt, isRefused } = samples
  if (lastSyncedAt === null) return false
  const isDueAgain = (gap: Gap) => !isOfWindows(gap) && gap.lacksTo === null && isGapDue(gap, state, now)
  if (isRefused || gaps.some(isDueAgain)) return gaps.some(isDueAgain)
  // Another process may have synced by a clock that is a moment ahead. Samples read now are as new as that.
  return readAt === null || (readAt < lastSyncedAt && readAt < now) || isAhead(readAt, now)
}

/** Returns when to look for the next step, unless an event arrives before. */
export function nextWakeUp(policy: SyncPolicy, state: SyncState, now: Date): Date {
  const isPastLeft = dueGaps(state, now).length > 0 || (policy.samples && pastSamplesWindow(policy.samples, state, now))
  const isHistoryLeft = !state.historyComplete || isPastLeft
  return isHistoryLeft ? now : nextNews(policy, state, now)
}

/** Returns when to look for news at the latest, while history or a requested sync wait. */
export function nextNews(policy: SyncPolicy, state: SyncState, now: Date): Date {
  const times = [
    refreshDueAt(policy, state, now),
    ...(areEventsWorking(policy, state, now) ? [eventsSilentAt(policy, state)] : []),
    dueAt(state.listedAt, policy.listing.maxAgeMs),
    ...state.gaps.map(({ retryAt }) => retryAt.getTime()),
    ...(state.historyComplete ? [dueAt(state.reconciledAt, reconciliationInterval(policy, state, now))] : []),
  ]
  return new Date(Math.max(now.getTime(), Math.min(...times)))
}

/** Returns when to poll next, after a read that ends now. @param listedAt time of the last listing, which may be this read */
export function nextRefresh(policy: SyncPolicy, state: SyncState, listedAt: Date | null, now: Date): Date {
  const { listing, openRecords } = policy
  if (!areEventsWorking(policy, state, now) || listedAt === null) return new Date(now.getTime() + listing.pollEveryMs)
  if (openRecords) {
    const pollAt = listedAt.getTime() + openRecords.pollAfterListingMs
    if (now.getTime() + openRecords.skipPollAfterReadMs <= pollAt) return new Date(pollAt)
  }
  return new Date(dueAt(listedAt, listing.maxAgeMs))
}

/** True while events can be relied on. They find the person by the profile. */
const areEventsWorking = (
  { events }: SyncPolicy,
  { memberId, lastEventAt, lastEventOfVendorAt }: SyncState,
  now: Date,
): boolean =>
  memberId !== null &&
  (!isOlder(lastEventAt, events.silenceMs, now) || !isOlder(lastEventOfVendorAt, events.silenceOfAllMs, now))

/** Returns when events can no longer be relied on if none arrives. */
const eventsSilentAt = ({ events }: SyncPolicy, { lastEventAt, lastEventOfVendorAt }: SyncState): number =>
  Math.max(dueAt(lastEventAt, events.silenceMs), dueAt(lastEventOfVendorAt, events.silenceOfAllMs))

/** True when a listing should read the waiting events. */
function isListingCheaper({ listing, events }: SyncPolicy, state: SyncState, now: Date): boolean {
  const maxAgeMs = state.hasPendingSleep ? listing.maxAgeAtSleepEventMs : listing.maxAgeAtEventMs
  if (isOlder(state.listedAt, maxAgeMs, now)) return true
  return state.pendingEvents > events.maxSingleReads && isOlder(state.listedAt, events.minListingAgeMs, now)
}

/** Returns the purpose of a listing that is due. Undefined when none is. */
function listingPurpose(policy: SyncPolicy, state: SyncState, now: Date): CallPurpose | undefined {
  if (state.listedAt === null) return "person"
  // The longer window of the reconciliation includes the listing.
  if (isReconciliationDue(policy, state, now)) return undefined
  if (isOlder(state.listedAt, policy.listing.maxAgeMs, now)) return "reconciliation"
  const needsListing = state.awaitsScores || !areEventsWorking(policy, state, now)
  return needsListing && isRefreshDue(policy, state, now) ? "refresh" : undefined
}

/** True when late changes should be looked for. While the history is read there are none. */
const isReconciliationDue = (policy: SyncPolicy, state: SyncState, now: Date): boolean =>
  state.historyComplete && isOlder(state.reconciledAt, reconciliationInterval(policy, state, now), now)

const reconciliationInterval = (policy: SyncPolicy, state: SyncState, now: Date): number =>
  state.reconciliations > 0 && areEventsWorking(policy, state, now)
    ? policy.reconciliation.intervalWithEventsMs
    : policy.reconciliation.intervalMs

/** A person who requests a sync wants all changes, late ones too. The profile is read if its last read was old at that time. */
function requested(policy: SyncPolicy, state: SyncState, now: Date): SyncStep | undefined {
  const { personRequestedAt: at, listedAt, reconciledAt, historyComplete } = state
  if (at === null || at > now) return undefined
  const purpose: CallPurpose = "request"
  if (!state.skipsProfile && dueAt(state.profileFetchedAt, policy.profile.maxAgeOnRequestMs) <= at.getTime())
    return { type: "profile", purpose }
  const isEarlier = (last: Date | null) => last === null || last < at
  if (historyComplete) return isEarlier(reconciledAt) ? reconciliation(policy, state, now, purpose) : undefined
  return isEarlier(listedAt) ? listing(policy, state, now, purpose) : undefined
}

function isRefreshDue(policy: SyncPolicy, state: SyncState, now: Date): boolean {
  const { requestedAt, lastSyncedAt } = state
  const at = refreshDueAt(policy, state, now)
  // A wrong clock wrote a time that is further ahead than any is set.
  if (at <= now.getTime() || at > now.getTime() + policy.listing.maxAgeMs) return true
  return requestedAt !== null && requestedAt <= now && (lastSyncedAt === null || requestedAt > lastSyncedAt)
}

/** Returns when to poll: as planned, or sooner when events have stopped or a score is missing. */
function refreshDueAt(policy: SyncPolicy, state: SyncState, now: Date): number {
  const { refreshAt: planned, lastSyncedAt, awaitsScores } = state
  if (planned === null || lastSyncedAt === null || isAhead(lastSyncedAt, now)) return DUE_NOW
  if (!areEventsWorking(policy, state, now))
    return Math.min(planned.getTime(), dueAt(lastSyncedAt, policy.listing.pollEveryMs))
  return awaitsScores ? Math.min(planned.getTime(), dueAt(lastSyncedAt, policy.scores.checkAfterMs)) : planned.getTime()
}

const listing = (policy: SyncPolicy, state: SyncState, now: Date, purpose: CallPurpose): SyncStep => ({
  type: "listing",
  purpose,
  window: listingWindow(now, state.listedAt, policy.listing.trailingDays),
  isReconciliation: false,
})

const reconciliation = (policy: SyncPolicy, state: SyncState, now: Date, purpose: CallPurpose): SyncStep => ({
  type: "listing",
  purpose,
  window: listingWindow(now, state.listedAt, policy.reconciliation.days),
  isReconciliation: true,
})

const openRecords = ({ openRecords: open }: SyncPolicy, now: Date): SyncStep | undefined =>
  open
    ? {
        type: "open_records",
        purpose: "refresh",
        kind: open.kind,
        window: { from: new Date(now.getTime() - open.startedWithinMs), to: null },
      }
    : undefined

/** Before every instant. */
const DUE_NOW = Number.NEGATIVE_INFINITY

/** What never happened is due now. */
const dueAt = (last: Date | null, intervalMs: number): number => (last === null ? DUE_NOW : last.getTime() + intervalMs)

const isOlder = (at: Date | null, ageMs: number, now: Date): boolean =>
  dueAt(at, ageMs) <= now.getTime() || (at !== null && isAhead(at, now))

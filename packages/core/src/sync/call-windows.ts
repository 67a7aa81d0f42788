import { type CallBudget, type CallLimits, type CallPurpose, SPARE_PURPOSES } from "@restwell/providers"

/** With as many people on one app, nothing is kept back for each of them: the fractions decide. */
export const MANY_PEOPLE = 1000

/** Who shares the calls of an app. */
export interface Demand {
  /** Active connections, at most `MANY_PEOPLE`. */
  readonly people: number
  /** Those of them for whom no webhook arrived of late. Polling takes more calls. */
  readonly withoutEvents: number
  /** True if events wait that can be read soon. */
  readonly areEventsWaiting: boolean
}

/** How many calls a window may hold before the next one. */
export interface CallWindow {
  /** Calls of all people. */
  readonly allowed: number
  /** Calls of the person. Within it nothing but `allowed` counts. */
  readonly share: number
  /** Calls of all people, for a person beyond the share. */
  readonly beyond: number
}

/**
 * Returns the limits of one call, for the minute and for the day.
 *
 * Each purpose may use its fraction of the app's limits, or all that the others' news cannot use, whichever is more. Within that a person
 * may use an equal share, counted for one person more than there are: the share of whoever connects next is never used up. Requested
 * syncs and history leave the part of the share that the person's own news need. Beyond the share, a call is made only while the app's
 * limit has room for the news of all people and for one first sync.
 */
export function callWindows(
  limits: CallLimits,
  budget: Pick<CallBudget, "shares" | "keptBackPerPerson" | "historyShareBesideEvents" | "fairShare">,
  { purpose, demand }: { readonly purpose: CallPurpose; readonly demand: Demand },
): { readonly minute: CallWindow; readonly day: CallWindow } {
  const { shares, keptBackPerPerson: keptBack, historyShareBesideEvents, fairShare } = budget
  const isBesideEvents = purpose === "history" && demand.areEventsWaiting
  const common = { purpose, people: demand.people, fraction: shares[purpose], beyondFraction: fairShare.beyond }
  const minute = windowOf(limits.perMinute, {
    ...common,
    keptBack: keptBack.perMinute,
    need: keptBack.perMinute,
    least: fairShare.least.perMinute,
    leastSpare: fairShare.least.perMinute,
    firstSync: fairShare.firstSync.perMinute,
  })
  const allowed = isBesideEvents ? part(limits.perMinute, historyShareBesideEvents) : minute.allowed
  const day = windowOf(limits.perDay, {
    ...common,
    keptBack: keptBack.perDay,
    need: needPerDay(budget, demand),
    least: fairShare.least.perDay,
    leastSpare: purpose === "history" ? fairShare.firstSync.perDay : fairShare.leastRequestedPerDay,
    firstSync: fairShare.firstSync.perDay,
  })
  return { minute: { ...minute, allowed, beyond: Math.min(minute.beyond, allowed) }, day }
}

interface WindowOptions {
  readonly purpose: CallPurpose
  readonly people: number
  /** The purpose's fraction of the limit. */
  readonly fraction: number
  /** Kept back for the news of each person. */
  readonly keptBack: number
  /** What each person's news need. */
  readonly need: number
  readonly least: number
  readonly leastSpare: number
  readonly firstSync: number
  readonly beyondFraction: number
}

function windowOf(limit: number, options: WindowOptions): CallWindow {
  const { purpose, people, fraction, keptBack, need, least, leastSpare, firstSync, beyondFraction } = options
  const areMany = people >= MANY_PEOPLE
  const allowed = Math.max(part(limit, fraction), areMany ? 0 : limit - keptBack * people)
  const share = Math.max(least, Math.floor(limit / (people + 1)))
  const unneeded = areMany ? 0 : limit - need * (people + 1) - firstSync
  const beyond = Math.max(purpose === "request" ? 0 : part(limit, beyondFraction), unneeded)
  return {
    allowed,
    share: SPARE_PURPOSES.includes(purpose) ? Math.max(leastSpare, share - need) : share,
    beyond: Math.min(beyond, allowed),
  }
}

const part = (calls: number, fraction: number): number => Math.max(1, Math.floor(calls * fraction))

/** The mean of all people. Of somebody who is the first, nothing is known: they may be polled. */
function needPerDay(
  { keptBackPerPerson, fairShare }: Pick<CallBudget, "keptBackPerPerson" | "fairShare">,
  { people, withoutEvents }: Demand,
): number {
  if (people === 0) return fairShare.needPerDayWithoutEvents
  const all = keptBackPerPerson.perDay * (people - withoutEvents) + fairShare.needPerDayWithoutEvents * withoutEvents
  return Math.ceil(all / people)
}

import { createHash } from "node:crypto"
import { HOUR_MS } from "@restwell/client/time-units"
import {
  type CallBudget,
  type CallGate,
  type CallLimits,
  type CallPurpose,
  RateLimited,
  SPARE_PURPOSES,
  type WaitReason,
} from "@restwell/providers"
import { type RawBuilder, sql } from "kysely"
import { isActive, notePause } from "../connect/connection-status.ts"
import type { Clock, Context } from "../context/context.ts"

/** With as many people on one app, nothing is kept back for each of them: the fractions decide. */
const MANY_PEOPLE = 1000

/** Who shares the calls of an app. */
interface Demand {
  /** Active connections, at most `MANY_PEOPLE`. */
  readonly people: number
  /** Those of them without a recent webhook. Polling takes more calls. */
  readonly withoutEvents: number
  /** True if events wait that can be read soon. */
  readonly areEventsWaiting: boolean
}

/** Nobody shares the calls of a key. */
const OF_ONE: Demand = { people: 1, withoutEvents: 1, areEventsWaiting: false }

/** How many calls a window may hold before the next one. */
interface CallWindow {
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
 * may use an equal share, counted for one person more than there are: the next newcomer's share is never used up. Requested
 * syncs and history leave the part of the share that the person's own news need. Beyond the share, a call is made only while the app's
 * limit covers the news of all people and for one first sync.
 */
function callWindows(
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

/** A job whose call would wait longer is handed back, seconds. */
const LONGEST_WAIT_SECONDS = 5
/** The history has its own workers, and a step that is broken off wastes calls. So it waits for the next minute, seconds. */
const LONGEST_HISTORY_WAIT_SECONDS = 65
/** Everyone sleeps once in this time. Without an event in it, a person is polled. */
const EVENTS_WITHIN_MS = 30 * HOUR_MS
/** A wait for the day ends when this many calls are free, which a reconciliation takes. With small limits fewer. */
const MOST_CALLS_OF_A_STEP = 16
const STEPS_IN_A_DAY = 25

interface CallGateOptions {
  readonly database: Context["database"]
  readonly clock: Clock
  readonly wait: (milliseconds: number) => Promise<void>
  readonly provider: string
  /** Limits of this operator's app. */
  readonly limits: CallLimits
  /** How purposes and people share them. */
  readonly budget: Pick<CallBudget, "of" | "shares" | "keptBackPerPerson" | "historyShareBesideEvents" | "fairShare">
  readonly purpose: CallPurpose
  /** The person whom the calls are for. Null for calls of nobody's data. */
  readonly userId: string | null
}

/** Whose calls are counted together: all of the vendor's app, or those of one person's key. */
const accountOf = ({ provider, budget, userId }: CallGateOptions): string =>
  budget.of === "key" && userId !== null
    ? `${provider}/${createHash("sha256").update(userId).digest("base64url")}`
    : provider

/**
 * Returns the gate of one vendor app, or key, for one purpose of one person. The calls of all users, workers and processes are counted in
 * the database. `callWindows` has the limits.
 */
export function createCallGate(options: CallGateOptions): CallGate {
  const { database, clock, wait, provider, purpose, userId } = options
  const longestWait = purpose === "history" ? LONGEST_HISTORY_WAIT_SECONDS : LONGEST_WAIT_SECONDS
  return {
    async acquire() {
      for (let taken = await takeCall(options); taken.wait > 0; taken = await takeCall(options)) {
        const pause = new RateLimited(messageOf(options, taken.reason), Math.ceil(taken.wait), taken.reason)
        if (taken.wait > longestWait) throw pause
        if (taken.wait > LONGEST_WAIT_SECONDS && userId !== null) await notePause(options, { userId, provider }, pause)
        await wait(taken.wait * 1000)
      }
    },
    async report({ remaining, resetSeconds }) {
      if (remaining > 0) return
      const until = new Date(clock.now().getTime() + resetSeconds * 1000)
      await database
        .insertInto("vendor_pause")
        .values({ provider: accountOf(options), until })
        .onConflict((conflict) => conflict.column("provider").doUpdateSet({ until }))
        .execute()
    },
  }
}

/** The dashboard shows them, and the log has them. */
function messageOf({ budget, limits: { perMinute, perDay } }: CallGateOptions, reason: WaitReason): string {
  const whom = budget.of === "key" ? "your key" : "this service"
  const shared = budget.of === "key" ? "" : " for all people together"
  switch (reason) {
    case "vendor_limit":
      return `the vendor accepts no more calls from ${whom} for now`
    case "minute_limit":
      return `the vendor allows ${whom} ${perMinute} calls a minute${shared}, and they are used up`
    case "day_limit":
      return `the vendor allows ${whom} ${perDay} calls a day${shared}, and they are used up`
    case "fair_share":
      return `the vendor allows ${whom} ${perDay} calls a day${shared}, and your share is used up`
  }
}

interface Taken {
  /** 0 when the call may be made, else the seconds until one is free. */
  readonly wait: number
  readonly reason: WaitReason
}

function takeCall(options: CallGateOptions): Promise<Taken> {
  const { database, clock, provider, limits, budget, purpose, userId } = options
  const several = Math.min(MOST_CALLS_OF_A_STEP, Math.floor(limits.perDay / STEPS_IN_A_DAY))
  // Read the time after a connection is free: waiting for one must not count.
  return database.connection().execute(async (connection) => {
    const demand = budget.of === "key" ? OF_ONE : await readDemand(connection, provider, clock.now())
    const { minute, day } = callWindows(limits, budget, { purpose, demand })
    const { rows } = await sql<Taken>`
      select wait, reason from restwell.take_vendor_call(${accountOf(options)}, ${userId}, ${clock.now()}, ${purpose},
        ${SPARE_PURPOSES.includes(purpose)}, ${rowOf(minute)}, ${rowOf(day)}, ${several}::int)
    `.execute(connection)
    const [row] = rows
    if (!row) throw new Error("take_vendor_call returned no row")
    return row
  })
}

const rowOf = ({ allowed, share, beyond }: CallWindow): RawBuilder<unknown> =>
  sql`row(${allowed}, ${share}, ${beyond})::restwell.call_window`

async function readDemand(database: Context["database"], provider: string, now: Date): Promise<Demand> {
  const { rows } = await sql<Demand>`
    select count(*)::int as people,
      (count(*) filter (where not coalesce(last_event_at > ${new Date(now.getTime() - EVENTS_WITHIN_MS)}, false)))::int
        as "withoutEvents",
      ${areEventsWaiting(provider, now)} as "areEventsWaiting"
    from (
      select c.last_event_at from restwell.connection c where c.provider = ${provider} and ${isActive}
      limit ${MANY_PEOPLE}) live
  `.execute(database)
  const [row] = rows
  if (!row) throw new Error("a count returned no row")
  return row
}

/** SQL: true if events wait that can be read within the history's longest wait. */
function areEventsWaiting(provider: string, now: Date): RawBuilder<boolean> {
  const until = new Date(now.getTime() + LONGEST_HISTORY_WAIT_SECONDS * 1000)
  return sql<boolean>`exists (
    select from restwell.vendor_event e join restwell.connection c using (user_id, provider)
    where e.provider = ${provider} and e.due_at <= ${until} and ${isActive}
      and (c.retry_after is null or c.retry_after <= ${until}))`
}

import { createHash } from "node:crypto"
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

/**
 * How much of the limits calls of a purpose may fill. The rest is for what is more urgent: a person who waits, then news, then looks for
 * news, then requested syncs, then the past.
 */
const FILLS: Readonly<Record<CallPurpose, number>> = {
  person: 1,
  event: 1,
  reconciliation: 0.9,
  refresh: 0.8,
  request: 0.75,
  history: 0.7,
}
/** How much of a minute the history may fill while news wait that webhooks announced. */
const HISTORY_BESIDE_EVENTS = 0.2
/** How much of them calls of people beyond their share may fill: less than any purpose, so that others' history is served within theirs. */
const BEYOND_SHARE = 0.6
/** Where the limits are small, the smallest share is at most this part of them. */
const MOST_OF_ONE = 0.5
/** What can wait until tomorrow may use this part of a day's share. It is counted apart, so that it never costs people their own news. */
const SPARE_PART = 0.5

/** How many calls a window may hold before the next one. */
interface CallWindow {
  /** Calls of all people. */
  readonly allowed: number
  /** Calls of the person. Within it nothing but `allowed` counts. */
  readonly share: number
  /** Calls of all people, for a person beyond the share. */
  readonly beyond: number
}

/** The limits of one call of somebody who shares with as many people, the caller included. Nobody shares a key: that is 0. */
function windowOf(
  limit: number,
  leastShare: number,
  { purpose, people, fill = FILLS[purpose] }: { purpose: CallPurpose; people: number; fill?: number },
): CallWindow {
  return {
    allowed: part(limit, fill),
    // Counted for one more, so that the share of the next newcomer is never used up.
    share: Math.max(Math.min(leastShare, part(limit, MOST_OF_ONE)), Math.floor(limit / (people + 1))),
    beyond: purpose === "request" ? 0 : part(limit, Math.min(BEYOND_SHARE, fill)),
  }
}

const part = (calls: number, fraction: number): number => Math.max(1, Math.floor(calls * fraction))

/** A job whose call would wait longer is handed back, seconds. */
const LONGEST_WAIT_SECONDS = 5
/** The history has its own workers, and a step that is broken off wastes calls. So it waits for the next minute, seconds. */
const LONGEST_HISTORY_WAIT_SECONDS = 65
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
  /** Whom the vendor limits, and the smallest share of a person. */
  readonly budget: Pick<CallBudget, "of" | "leastShare" | "isSpaced">
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
 * the database. `windowOf` has the limits.
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

/** Calls that are spaced are a tenth further apart than the vendor asks for, because they travel at different speeds. */
const SPACED_MINUTE_MS = 66_000
/** One that is further ahead was written by a wrong clock. */
const FURTHEST_AHEAD_SECONDS = 600

/**
 * Takes a call once the one before is long enough ago. Both happen under the lock of the account, so that no other process takes one between
 * them.
 */
function takeCall(options: CallGateOptions): Promise<Taken> {
  const { database, clock, limits, budget } = options
  const gapMs = budget.isSpaced ? Math.floor(SPACED_MINUTE_MS / limits.perMinute) : 0
  // Read the time after a connection is free: waiting for one must not count.
  if (gapMs === 0) return database.connection().execute((connection) => takeCounted(connection, options))
  return database.transaction().execute(async (transaction) => {
    const account = accountOf(options)
    await sql`select pg_advisory_xact_lock(hashtext('restwell.vendor_call'), hashtext(${account}))`.execute(transaction)
    const now = clock.now()
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from greatest(
        restwell.calls_free_at(${account}, ${now}, interval '1 millisecond' * ${gapMs}::int, 1), ${now}::timestamptz)
        - ${now}::timestamptz)::float8 as wait
    `.execute(transaction)
    const wait = rows[0]?.wait ?? 0
    if (wait > 0 && wait < FURTHEST_AHEAD_SECONDS) return { wait, reason: "minute_limit" }
    return takeCounted(transaction, options)
  })
}

/** Takes a call from the budgets of the minute and of the day. */
async function takeCounted(connection: Context["database"], options: CallGateOptions): Promise<Taken> {
  const { clock, limits, budget, purpose, userId } = options
  const several = Math.min(MOST_CALLS_OF_A_STEP, Math.floor(limits.perDay / STEPS_IN_A_DAY))
  const who = { purpose, people: budget.of === "key" ? 0 : await countPeople(connection, options) }
  const isBesideEvents = purpose === "history" && (await areEventsWaiting(connection, options))
  const minute = windowOf(limits.perMinute, budget.leastShare.perMinute, {
    ...who,
    ...(isBesideEvents && { fill: HISTORY_BESIDE_EVENTS }),
  })
  const day = windowOf(limits.perDay, budget.leastShare.perDay, who)
  const isSpare = SPARE_PURPOSES.includes(purpose)
  const share = isSpare ? part(day.share, SPARE_PART) : day.share
  const { rows } = await sql<Taken>`
    select wait, reason from restwell.take_vendor_call(${accountOf(options)}, ${userId}, ${clock.now()}, ${purpose},
      ${isSpare}, ${rowOf(minute)}, ${rowOf({ ...day, share })}, ${several}::int)
  `.execute(connection)
  const [row] = rows
  if (!row) throw new Error("take_vendor_call returned no row")
  return row
}

const rowOf = ({ allowed, share, beyond }: CallWindow): RawBuilder<unknown> =>
  sql`row(${allowed}, ${share}, ${beyond})::restwell.call_window`

/** Active connections of the vendor, as far as a share depends on their number. */
async function countPeople(
  database: Context["database"],
  { provider, limits, budget: { leastShare } }: Pick<CallGateOptions, "provider" | "limits" | "budget">,
): Promise<number> {
  const most = Math.ceil(Math.max(limits.perMinute / leastShare.perMinute, limits.perDay / leastShare.perDay))
  const { rows } = await sql<{ people: number }>`
    select count(*)::int as people from (
      select from restwell.connection c where c.provider = ${provider} and ${isActive} limit ${most}::int) live
  `.execute(database)
  const [row] = rows
  if (!row) throw new Error("a count returned no row")
  return row.people
}

/** True if events wait that can be read within the history's longest wait. */
async function areEventsWaiting(
  database: Context["database"],
  { provider, clock }: Pick<CallGateOptions, "provider" | "clock">,
): Promise<boolean> {
  const until = new Date(clock.now().getTime() + LONGEST_HISTORY_WAIT_SECONDS * 1000)
  const { rows } = await sql`
    select from restwell.vendor_event e join restwell.connection c using (user_id, provider)
    where e.provider = ${provider} and e.due_at <= ${until} and ${isActive}
      and (c.retry_after is null or c.retry_after <= ${until}) limit 1
  `.execute(database)
  return rows.length > 0
}

import { type CallBudget, type CallGate, type CallPurpose, RateLimited } from "@restwell/providers"
import { type RawBuilder, sql } from "kysely"
import { isActive } from "../connection/active-connection.ts"
import type { Clock, Context } from "../context/context.ts"

/** A job whose call would wait longer is handed back, seconds. */
const LONGEST_WAIT_SECONDS = 5
/** The history has its own workers, and a step that is broken off wastes calls. So it waits for the next minute, seconds. */
const LONGEST_HISTORY_WAIT_SECONDS = 65
/** With more people nothing but the shares counts, so more need not be counted. */
const MOST_PEOPLE_COUNTED = 300

export interface CallLimits {
  readonly perMinute: number
  readonly perDay: number
}

export interface CallGateOptions {
  readonly database: Context["database"]
  readonly clock: Clock
  readonly wait: (milliseconds: number) => Promise<void>
  readonly provider: string
  /** Limits of this operator's app. */
  readonly limits: CallLimits
  /** How the purposes share them. */
  readonly budget: Pick<CallBudget, "shares" | "keptBackPerPerson" | "historyShareBesideEvents">
  readonly purpose: CallPurpose
}

/**
 * Returns the gate of one vendor app for one purpose. The calls of all users, workers and processes are counted in the database. Each
 * purpose may use its share of the limits, or all that the connected people cannot use, whichever is more.
 */
export function createCallGate(options: CallGateOptions): CallGate {
  const { database, clock, wait, provider, purpose } = options
  const longestWait = purpose === "history" ? LONGEST_HISTORY_WAIT_SECONDS : LONGEST_WAIT_SECONDS
  return {
    async acquire() {
      for (let waitSeconds = await takeCall(options); waitSeconds > 0; waitSeconds = await takeCall(options)) {
        if (waitSeconds > longestWait)
          throw new RateLimited(`the calls to ${provider} are used up for now`, Math.ceil(waitSeconds))
        await wait(waitSeconds * 1000)
      }
    },
    async report({ remaining, resetSeconds }) {
      if (remaining > 0) return
      const until = new Date(clock.now().getTime() + resetSeconds * 1000)
      await database
        .insertInto("vendor_pause")
        .values({ provider, until })
        .onConflict((conflict) => conflict.column("provider").doUpdateSet({ until }))
        .execute()
    },
  }
}

/** Counts a call and returns 0, or returns the seconds until one is free. */
function takeCall({ database, clock, provider, limits, budget, purpose }: CallGateOptions): Promise<number> {
  const { shares, keptBackPerPerson: keptBack, historyShareBesideEvents } = budget
  const part = (calls: number, share: number) => Math.max(1, Math.floor(calls * share))
  const allowed = (limit: number, keptBackForEach: number): RawBuilder<number> =>
    sql<number>`greatest(${part(limit, shares[purpose])}::int, ${limit}::int - ${keptBackForEach}::int * people)`
  // Read the time after a connection is free: waiting for one must not count.
  return database.connection().execute(async (connection) => {
    const now = clock.now()
    const perMinute = allowed(limits.perMinute, keptBack.perMinute)
    const perMinuteNow =
      purpose === "history"
        ? sql<number>`case when ${areEventsWaiting(provider, now)}
            then ${part(limits.perMinute, historyShareBesideEvents)}::int else ${perMinute} end`
        : perMinute
    const { rows } = await sql<{ wait: number }>`
      select restwell.take_vendor_call(${provider}, ${now}, ${perMinuteNow}, ${allowed(limits.perDay, keptBack.perDay)},
        ${purpose}) as wait
      from (select count(*)::int as people from (
        select from restwell.connection c where c.provider = ${provider} and ${isActive}
        limit ${MOST_PEOPLE_COUNTED}) live) all_people
    `.execute(connection)
    const [row] = rows
    if (!row) throw new Error("take_vendor_call returned no row")
    return row.wait
  })
}

/** SQL: true if events wait that can be read within the history's longest wait. */
function areEventsWaiting(provider: string, now: Date): RawBuilder<boolean> {
  const until = new Date(now.getTime() + LONGEST_HISTORY_WAIT_SECONDS * 1000)
  return sql<boolean>`exists (
    select from restwell.vendor_event e join restwell.connection c using (user_id, provider)
    where e.provider = ${provider} and e.due_at <= ${until} and ${isActive}
      and (c.retry_after is null or c.retry_after <= ${until}))`
}

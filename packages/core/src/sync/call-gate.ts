import {
  CALLS_KEPT_BACK,
  type CallGate,
  type CallPurpose,
  HISTORY_SHARE_BESIDE_EVENTS,
  RateLimited,
  SHARE_OF_BUDGET,
} from "@restwell/providers"
import { type RawBuilder, sql } from "kysely"
import type { Clock, Context } from "../context/context.ts"

/** Longer waits than this hand the job back instead of holding a worker, seconds. */
const LONGEST_WAIT_SECONDS = 5
/** The history has workers of its own, and a step of it that is broken off has cost calls: it waits a whole minute's window out, seconds. */
const LONGEST_HISTORY_WAIT_SECONDS = 65

export interface CallLimits {
  readonly perMinute: number
  readonly perDay: number
}

export interface CallGateOptions {
  readonly database: Context["database"]
  readonly clock: Clock
  readonly wait: (milliseconds: number) => Promise<void>
  readonly provider: string
  /** Of the whole app. */
  readonly limits: CallLimits
  readonly purpose: CallPurpose
}

/**
 * The budget of one vendor app, kept in the database: all users, workers and processes draw from the same one, each purpose up to its share.
 * WHOOP: 100 a minute and 10,000 a day per app. @see https://developer.whoop.com/docs/developing/rate-limiting
 */
export function createCallGate({ database, clock, wait, provider, limits, purpose }: CallGateOptions): CallGate {
  const share = SHARE_OF_BUDGET[purpose]
  const part = (calls: number, of: number) => Math.max(1, Math.floor(calls * of))
  const perMinute = part(limits.perMinute, share)
  const perDay = part(limits.perDay, share)
  const perMinuteBesideEvents = part(limits.perMinute, HISTORY_SHARE_BESIDE_EVENTS)
  const longestWait = purpose === "history" ? LONGEST_HISTORY_WAIT_SECONDS : LONGEST_WAIT_SECONDS
  const take = (): Promise<number> =>
    // The time is read with the connection in hand: a wait for one must not use up the second by which calls may travel apart.
    database.connection().execute(async (connection) => {
      const now = clock.now()
      const until = new Date(now.getTime() + LONGEST_HISTORY_WAIT_SECONDS * 1000)
      const beside = (calls: RawBuilder<number>) =>
        purpose === "history"
          ? sql<number>`case when ${areEventsWaiting(provider, until)} then ${perMinuteBesideEvents}::int else ${calls} end`
          : calls
      const { rows } = await sql<{ wait: number }>`
        select restwell.take_vendor_call(${provider}, ${now},
          ${beside(atLeast(perMinute, limits.perMinute, CALLS_KEPT_BACK.perMinute))},
          ${atLeast(perDay, limits.perDay, CALLS_KEPT_BACK.perDay)}, ${purpose}) as wait
        from (select count(*)::int as people from (
          select from restwell.connection c
          where c.provider = ${provider} and c.status not in ('disconnected', 'reauthorization_required')
          limit ${MOST_PEOPLE_COUNTED}) live) all_people
      `.execute(connection)
      const [row] = rows
      if (!row) throw new Error("take_vendor_call returned no row")
      return row.wait
    })
  return {
    async acquire() {
      for (let waitSeconds = await take(); waitSeconds > 0; waitSeconds = await take()) {
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

/** More people than this leave every purpose its share and no more. */
const MOST_PEOPLE_COUNTED = 300

/** A purpose's share, or all but what the people there are can use. */
const atLeast = (share: number, limit: number, keptBack: number): RawBuilder<number> =>
  sql<number>`greatest(${share}::int, ${limit}::int - ${keptBack}::int * people)`

/** True for what somebody will read by then: not for a connection that waits for its person, or for a vendor that fails. */
const areEventsWaiting = (provider: string, until: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select from restwell.vendor_event e join restwell.connection c using (user_id, provider)
  where e.provider = ${provider} and e.due_at <= ${until} and c.status not in ('disconnected', 'reauthorization_required')
    and (c.retry_after is null or c.retry_after <= ${until}))`

import { type CallGate, RateLimited } from "@restwell/providers"
import { sql } from "kysely"
import type { Clock, Context } from "../context.ts"

/** Longer waits than this hand the job back instead of holding a worker. */
const LONGEST_WAIT_SECONDS = 5

export interface CallLimits {
  readonly perMinute: number
  readonly perDay: number
}

/**
 * The budget of one vendor app, kept in the database: all users, workers and processes draw from the same one.
 * WHOOP: 100 a minute and 10,000 a day per app. @see https://developer.whoop.com/docs/developing/rate-limiting
 */
export function createCallGate(
  {
    database,
    clock,
    wait,
  }: { database: Context["database"]; clock: Clock; wait: (milliseconds: number) => Promise<void> },
  provider: string,
  limits: CallLimits,
): CallGate {
  const take = async (): Promise<number> => {
    const { rows } = await sql<{ wait: number }>`
      select restwell.take_vendor_call(${provider}, ${clock.now()}, ${limits.perMinute}::int, ${limits.perDay}::int) as wait
    `.execute(database)
    const [row] = rows
    if (!row) throw new Error("take_vendor_call returned no row")
    return row.wait
  }
  return {
    async acquire() {
      for (let waitSeconds = await take(); waitSeconds > 0; waitSeconds = await take()) {
        if (waitSeconds > LONGEST_WAIT_SECONDS)
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

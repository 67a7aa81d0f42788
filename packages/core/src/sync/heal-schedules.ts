import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/**
 * Has every connection looked at whose last sync lies ahead: it was written by a clock that was wrong, and so was the time of the next one.
 * To be done when work begins, and whenever the clock has gone back.
 */
export async function healSchedules({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  await sql`
    update restwell.connection set next_sync_at = ${now}, retry_after = null
    where greatest(last_synced_at, listed_at, next_sync_at - interval '2 days', retry_after - interval '2 days')
      > ${now}::timestamptz + interval '5 minutes'
  `.execute(database)
}

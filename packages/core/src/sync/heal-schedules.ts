import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/**
 * Makes every connection due whose last sync is in the future: a wrong clock wrote it and the time of the next one.
 * Call it when work begins, and after the clock went back.
 */
export async function healSchedules({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  await sql`
    update restwell.connection set next_sync_at = ${now}, retry_after = null
    where greatest(last_synced_at, listed_at, next_sync_at - interval '2 days', retry_after - interval '2 days')
      > ${now}::timestamptz + interval '5 minutes'
  `.execute(database)
}

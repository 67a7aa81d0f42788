import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/** Longer than any refresh reply may be repeated. */
const REPLY_HOURS = 1
const UNUSED_CLIENT_HOURS = 24
const IDLE_CLIENT_HOURS = 180 * 24

/** Deletes expired records, old refresh replies, and clients that were never used for a day or not used for half a year. */
export async function sweepOauthRecords({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  const before = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
  await database.deleteFrom("oauth_record").where("expires_at", "<", now).execute()
  await database.deleteFrom("refresh_reply").where("replied_at", "<", before(REPLY_HOURS)).execute()
  await sql`
    delete from restwell.oauth_client c
    where (c.last_used_at is null and c.created_at < ${before(UNUSED_CLIENT_HOURS)})
       or (c.last_used_at < ${before(IDLE_CLIENT_HOURS)}
           and not exists (select from restwell.assistant a where a.client_id = c.client_id))
  `.execute(database)
}

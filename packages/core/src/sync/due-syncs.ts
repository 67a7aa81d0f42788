import { sql } from "kysely"
import type { Context, Urgency } from "../context/context.ts"
import { isNotHeld } from "./not-held.ts"

/** Asked for at a time; more wait for the next look, so that what is urgent never stands behind all of them. */
const BATCH = 200

/**
 * Asks for a sync of every connection whose time has come, or whose vendor told of something that nobody has read yet. Any number of
 * processes may ask; it is one piece of work. A time further ahead than any is set was written by a clock that was wrong.
 */
export async function requestDueSyncs({ database, clock, jobs }: Context): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ user_id: string; provider: string; urgency: Urgency }>`
    (select e.user_id, e.provider, 'now' as urgency
     from restwell.vendor_event e join restwell.connection c using (user_id, provider)
     where e.due_at <= ${now} and c.status not in ('disconnected', 'reauthorization_required')
       and ${isNotHeld(now)}
     group by e.user_id, e.provider order by min(e.version) limit ${BATCH})
    union all
    (select c.user_id, c.provider,
            case when c.fetched_back_to is null then 'now' when c.refresh_at > ${now} then 'history' else 'later' end
     from restwell.connection c
     where c.status not in ('disconnected', 'reauthorization_required')
       and (c.next_sync_at <= ${now} or c.next_sync_at > ${now}::timestamptz + interval '25 hours')
     order by c.next_sync_at limit ${BATCH})
  `.execute(database)
  for (const { user_id, provider, urgency } of rows) await jobs.requestSync({ userId: user_id, provider }, urgency)
}

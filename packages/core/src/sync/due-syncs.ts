import { sql } from "kysely"
import { isActive, isRetryDue } from "../connection/active-connection.ts"
import type { Context, Urgency } from "../context/context.ts"

/** Most requests of one look. The next look requests more, so that urgent ones do not wait behind all of them. */
const BATCH = 200

/**
 * Requests a sync of every connection that is due or has waiting events. If several processes request it, it runs once.
 * A time more than two days ahead comes from a wrong clock, and the connection is due: no vendor is looked at less often.
 */
export async function requestDueSyncs({ database, clock, jobs }: Context): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ user_id: string; provider: string; urgency: Urgency }>`
    (select e.user_id, e.provider, 'now' as urgency
     from restwell.vendor_event e join restwell.connection c using (user_id, provider)
     where e.due_at <= ${now} and ${isActive} and ${isRetryDue(now)}
     group by e.user_id, e.provider order by min(e.version) limit ${BATCH})
    union all
    (select c.user_id, c.provider,
            case when c.fetched_back_to is null then 'now' when c.refresh_at > ${now} then 'history' else 'later' end
     from restwell.connection c
     where ${isActive}
       and (c.next_sync_at <= ${now} or c.next_sync_at > ${now}::timestamptz + interval '49 hours')
     order by c.next_sync_at limit ${BATCH})
  `.execute(database)
  for (const { user_id, provider, urgency } of rows) await jobs.requestSync({ userId: user_id, provider }, urgency)
}

import { sql } from "kysely"
import { isActive } from "../connection/active-connection.ts"
import type { Context } from "../context/context.ts"

/** A rejected record is read again daily, this many times, and then with the next version of the software. */
const RETRY_MS = 86_400_000
const MOST_RETRIES = 7
/** Most records of one run. If a vendor changes all its shapes, new records still get calls. */
const BATCH = 500

/**
 * Schedules another read of rejected records: daily for a while, because the vendor may correct them, and once with each version of the
 * software, because a newer one may parse them. A reconciliation reads those without an id. Returns the number of records.
 */
export async function retryRejected({
  database,
  clock,
  version,
}: Pick<Context, "database" | "clock" | "version">): Promise<number> {
  const now = clock.now()
  const { rows } = await sql<{ count: number }>`
    with due as (
      update restwell.rejected_record r set
        retries = case when r.retried_by is distinct from ${version} then 1 else r.retries + 1 end,
        retried_by = ${version},
        retry_at = ${new Date(now.getTime() + RETRY_MS)}
      where (r.user_id, r.provider, r.kind, r.digest) in (
        select d.user_id, d.provider, d.kind, d.digest from restwell.rejected_record d
        join restwell.connection c using (user_id, provider)
        where ${isActive}
          and (d.retried_by is distinct from ${version}
            or (d.retry_at <= ${now} and d.retries < ${MOST_RETRIES} and d.seen_at <= ${new Date(now.getTime() - RETRY_MS)}))
        order by d.retry_at limit ${BATCH}
        for update of d skip locked)
      returning r.user_id, r.provider, r.kind, r.provider_id),
    again as (
      insert into restwell.vendor_event as e (user_id, provider, kind, named_by, provider_id, received_at, due_at)
      select distinct d.user_id, d.provider, d.kind, 'record', d.provider_id, ${now}::timestamptz, ${now}::timestamptz
      from due d where d.provider_id is not null
      on conflict do nothing),
    searched as (
      update restwell.connection c set reconciled_at = null, next_sync_at = least(c.next_sync_at, ${now}::timestamptz)
      where (c.user_id, c.provider) in (select d.user_id, d.provider from due d where d.provider_id is null))
    select count(*)::int as count from due
  `.execute(database)
  return rows[0]?.count ?? 0
}

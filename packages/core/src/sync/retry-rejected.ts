import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/** A vendor that sent a record in a strange shape is asked for it again a day later, this often; then with the next version of the software. */
const RETRY_MS = 86_400_000
const MOST_RETRIES = 7
/** Asked for at a time: a vendor that changed the shape of everything must not take the calls of what is new. */
const BATCH = 500

/**
 * Has the vendor asked again for records that could not be read: once a day for a while, because a strange shape may be a mishap, and once by
 * each version of the software, because a newer one may read it. What has no id is looked for by reading the last months again.
 * Returns how many are asked for.
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
        where c.status not in ('disconnected', 'reauthorization_required')
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

import { sql } from "kysely"
import type { Context } from "../context.ts"

/**
 * Has the vendor asked again for every record that could not be read, once for each version of the software: a newer one may read it. What has
 * no id of its own is looked for by reading the last months again. Returns how many records wait to be read.
 */
export async function retryRejected(
  { database, clock }: Pick<Context, "database" | "clock">,
  version: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as (
      update restwell.rejected_record r set retried_by = ${version}
      where r.retried_by is distinct from ${version}
      returning r.user_id, r.provider, r.kind, r.provider_id),
    again as (
      insert into restwell.vendor_event as e (user_id, provider, kind, named_by, provider_id, received_at)
      select distinct d.user_id, d.provider, d.kind, 'record', d.provider_id, ${clock.now()}::timestamptz
      from due d join restwell.connection c using (user_id, provider) where d.provider_id is not null
      on conflict do nothing
      returning user_id),
    searched as (
      update restwell.connection c set reconciled_at = null, next_sync_at = least(c.next_sync_at, ${clock.now()}::timestamptz)
      where (c.user_id, c.provider) in (select d.user_id, d.provider from due d where d.provider_id is null)
      returning user_id)
    select (select count(*) from again)::int + (select count(*) from searched)::int as count
  `.execute(database)
  return rows[0]?.count ?? 0
}

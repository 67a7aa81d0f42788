import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../context.ts"
import type { Database } from "./database.ts"

/**
 * Settles what a record takes from others, after any of them may have come, changed or gone. DESIGN.md section 4:
 * - a cycle's date is that of its main sleep (its first sleep that is no nap), or the local date 12 hours after its start;
 * - a recovery has the date, time and offset of its sleep; without it, of its cycle; without that, its creation, UTC;
 * - the skin temperature's deviation is from the mean of the previous 30 scored nights, and null before 5 of them;
 * - the offset of "today" is that of the newest record; a cycle's is that of its beginning, so its sleep's, that of waking, comes first.
 * Rows that are right already are not written.
 */
export async function settleRecords(transaction: Transaction<Database>, connection: ConnectionId): Promise<void> {
  // A history that came a moment ago has no statistics yet, and the planner takes years of nights for one row: it would join them by
  // going through all of them for each.
  await sql`set local enable_nestloop = off`.execute(transaction)
  await settleCycleDates(transaction, connection)
  await settleRecoveryPlaces(transaction, connection)
  await settleSkinTempDeviations(transaction, connection)
  await settleOffset(transaction, connection)
}

const settleCycleDates = (transaction: Transaction<Database>, { userId, provider }: ConnectionId) =>
  sql`
    update restwell.record c set date = settled.date
    from (
      select c.provider_id, coalesce(
        night.date,
        (c.started_at at time zone 'UTC' + make_interval(mins => c.utc_offset_minutes) + interval '12 hours')::date) as date
      from restwell.record c
      left join (
        select distinct on (s.cycle_provider_id) s.cycle_provider_id, s.date
        from restwell.record s
        where s.user_id = ${userId} and s.provider = ${provider} and s.kind = 'sleep'
          and not (s.detail -> 'data' ->> 'isNap')::boolean
        order by s.cycle_provider_id, s.started_at, s.provider_id
      ) night on night.cycle_provider_id = c.provider_id
      where c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle'
    ) settled
    where c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle' and c.provider_id = settled.provider_id
      and c.date is distinct from settled.date
  `.execute(transaction)

const settleRecoveryPlaces = (transaction: Transaction<Database>, { userId, provider }: ConnectionId) =>
  sql`
    update restwell.record r
    set date = settled.date, started_at = settled.started_at, utc_offset_minutes = settled.utc_offset_minutes
    from (
      select r.provider_id,
        coalesce(s.date, c.date, (created.at at time zone 'UTC')::date) as date,
        coalesce(s.started_at, c.started_at, created.at) as started_at,
        coalesce(s.utc_offset_minutes, c.utc_offset_minutes, 0) as utc_offset_minutes
      from restwell.record r
      cross join lateral (select (r.detail ->> 'createdAt')::timestamptz as at) created
      left join restwell.record s on s.user_id = r.user_id and s.provider = r.provider and s.kind = 'sleep'
        and s.provider_id = r.sleep_provider_id
      left join restwell.record c on c.user_id = r.user_id and c.provider = r.provider and c.kind = 'cycle'
        and c.provider_id = r.cycle_provider_id
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery'
    ) settled
    where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery' and r.provider_id = settled.provider_id
      and (r.date, r.started_at, r.utc_offset_minutes)
        is distinct from (settled.date, settled.started_at, settled.utc_offset_minutes)
  `.execute(transaction)

const settleSkinTempDeviations = (transaction: Transaction<Database>, { userId, provider }: ConnectionId) =>
  sql`
    update restwell.record r set skin_temp_deviation = settled.deviation
    from (
      select provider_id, case when celsius is not null and count(*) over nights >= 5
        then celsius - avg(celsius) over nights end as deviation
      from (
        select provider_id, started_at,
          case when score_state = 'scored' then (detail ->> 'skinTempCelsius')::double precision end as celsius
        from restwell.record
        where user_id = ${userId} and provider = ${provider} and kind = 'recovery'
      ) recoveries
      -- Nights without a temperature are apart from those with one, and count in no baseline.
      window nights as (
        partition by celsius is null order by started_at, provider_id rows between 30 preceding and 1 preceding)
    ) settled
    where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery' and r.provider_id = settled.provider_id
      and r.skin_temp_deviation is distinct from settled.deviation
  `.execute(transaction)

const settleOffset = (transaction: Transaction<Database>, { userId }: ConnectionId) =>
  sql`
    update restwell.person p set utc_offset_minutes = newest.utc_offset_minutes
    from (
      select (
        select r.utc_offset_minutes from restwell.record r
        where r.user_id = ${userId} and r.kind <> 'recovery'
        order by r.started_at desc, r.kind = 'cycle', r.provider_id desc limit 1
      ) as utc_offset_minutes
    ) newest
    where p.user_id = ${userId} and p.utc_offset_minutes is distinct from newest.utc_offset_minutes
  `.execute(transaction)

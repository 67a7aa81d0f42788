import type { NormalizedRecord } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import type { RecordKey } from "./delete-records.ts"

/** What changes: versions that may be stored, and records that go. */
interface Changes {
  readonly records: readonly NormalizedRecord[]
  readonly deleted: readonly RecordKey[]
}

/** Whom a change may concern, by the vendor's ids. More of them than needed cost time and change nothing. */
interface Concerned {
  readonly cycles: readonly string[]
  readonly sleeps: readonly string[]
  readonly recoveries: readonly string[]
  /** The earliest place of a recovery that changes or goes, as it was before. */
  readonly recoveredAt: Date | null
}

/**
 * Changes records, and settles what others take from them. DESIGN.md section 4:
 * - a cycle's date is that of its main sleep (its first sleep that is no nap), or the local date 12 hours after its start;
 * - a recovery has the date, time and offset of its sleep; without it, of its cycle; without that, its creation, UTC;
 * - the skin temperature's deviation is from the mean of the previous 30 scored nights, and null before 5 of them;
 * - the offset of "today" is that of the newest record; a cycle's is that of its beginning, so its sleep's, that of waking, comes first.
 *
 * What the change cannot concern is not looked at: a new night costs the same after ten years as after ten days. All else has to have been
 * settled before. Rows that are right already are not written.
 */
export async function changeAndSettle(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  changes: Changes,
  change: () => Promise<void>,
): Promise<void> {
  const concerned = await concernedBy(transaction, connection, changes)
  await change()
  // A history that came a moment ago has no statistics yet, and the planner takes years of nights for one row: it would join them by
  // going through all of them for each.
  await sql`set local enable_nestloop = off`.execute(transaction)
  if (concerned.cycles.length > 0) await settleCycleDates(transaction, connection, concerned)
  const movedAt = isAnyone(concerned) ? await settleRecoveryPlaces(transaction, connection, concerned) : null
  const since = earlier(concerned.recoveredAt, movedAt)
  if (since) await settleSkinTempDeviations(transaction, connection, since)
  await settleOffset(transaction, connection)
}

const isAnyone = ({ cycles, sleeps, recoveries }: Concerned): boolean =>
  cycles.length + sleeps.length + recoveries.length > 0

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** Before anything has changed: a sleep that moves to another cycle concerns the one it leaves, too. */
async function concernedBy(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { records, deleted }: Changes,
): Promise<Concerned> {
  const keys: readonly RecordKey[] = [...records, ...deleted]
  const idsOf = (wanted: RecordKey["kind"]) =>
    keys.flatMap(({ kind, providerId }) => (kind === wanted ? [providerId] : []))
  const [cycles, sleeps, recoveries] = [idsOf("cycle"), idsOf("sleep"), idsOf("recovery")]
  const { rows } = await sql<{ cycles: string[] | null; recovered_at: Date | null }>`
    select
      (select array_agg(cycle_provider_id) from restwell.record
        where user_id = ${userId} and provider = ${provider} and kind = 'sleep' and provider_id = any(${sleeps})
          and cycle_provider_id is not null) as cycles,
      (select min(started_at) from restwell.record
        where user_id = ${userId} and provider = ${provider} and kind = 'recovery' and provider_id = any(${recoveries})
      ) as recovered_at
  `.execute(transaction)
  const joined = records.flatMap((record) => (record.kind === "sleep" ? (record.cycleProviderId ?? []) : []))
  return {
    cycles: [...new Set([...cycles, ...joined, ...(rows[0]?.cycles ?? [])])],
    sleeps,
    recoveries,
    recoveredAt: rows[0]?.recovered_at ?? null,
  }
}

const settleCycleDates = (
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { cycles }: Concerned,
) =>
  sql`
    -- Apart, so that nobody's nap is looked for but theirs: to look into \`detail\` is what takes time.
    with sleeps as materialized (
      select cycle_provider_id, started_at, provider_id, date, detail
      from restwell.record
      where user_id = ${userId} and provider = ${provider} and kind = 'sleep' and cycle_provider_id = any(${cycles})
    )
    update restwell.record c set date = settled.date
    from (
      select c.provider_id, coalesce(
        night.date,
        (c.started_at at time zone 'UTC' + make_interval(mins => c.utc_offset_minutes) + interval '12 hours')::date) as date
      from restwell.record c
      left join (
        select distinct on (s.cycle_provider_id) s.cycle_provider_id, s.date
        from sleeps s
        where not (s.detail -> 'data' ->> 'isNap')::boolean
        order by s.cycle_provider_id, s.started_at, s.provider_id
      ) night on night.cycle_provider_id = c.provider_id
      where c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle' and c.provider_id = any(${cycles})
    ) settled
    where c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle' and c.provider_id = settled.provider_id
      and c.provider_id = any(${cycles}) and c.date is distinct from settled.date
  `.execute(transaction)

/** @returns the earliest start, before or after, of the recoveries that were looked at */
async function settleRecoveryPlaces(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { cycles, sleeps, recoveries }: Concerned,
): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    -- Whoever is joined is found by the key: \`any\` says what the join alone would look for among all.
    with looked_at as materialized (
      select provider_id, started_at, sleep_provider_id, cycle_provider_id, detail
      from restwell.record
      where user_id = ${userId} and provider = ${provider} and kind = 'recovery'
        and (provider_id = any(${recoveries}) or sleep_provider_id = any(${sleeps}) or cycle_provider_id = any(${cycles}))
    ), settled as (
      select r.provider_id,
        coalesce(s.date, c.date, (created.at at time zone 'UTC')::date) as date,
        coalesce(s.started_at, c.started_at, created.at) as started_at,
        coalesce(s.utc_offset_minutes, c.utc_offset_minutes, 0) as utc_offset_minutes
      from looked_at r
      cross join lateral (select (r.detail ->> 'createdAt')::timestamptz as at) created
      left join restwell.record s on s.user_id = ${userId} and s.provider = ${provider} and s.kind = 'sleep'
        and s.provider_id = r.sleep_provider_id and s.provider_id = any(array(select sleep_provider_id from looked_at))
      left join restwell.record c on c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle'
        and c.provider_id = r.cycle_provider_id and c.provider_id = any(array(select cycle_provider_id from looked_at))
    ), moved as (
      update restwell.record r
      set date = settled.date, started_at = settled.started_at, utc_offset_minutes = settled.utc_offset_minutes
      from settled
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery' and r.provider_id = settled.provider_id
        and r.provider_id = any(array(select provider_id from looked_at))
        and (r.date, r.started_at, r.utc_offset_minutes)
          is distinct from (settled.date, settled.started_at, settled.utc_offset_minutes)
      returning r.started_at
    )
    select least((select min(started_at) from looked_at), (select min(started_at) from moved)) as since
  `.execute(transaction)
  return rows[0]?.since ?? null
}

/** @param since nights before it are as they were, and so are their deviations */
const settleSkinTempDeviations = (
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  since: Date,
) =>
  sql`
    update restwell.record r set skin_temp_deviation = settled.deviation
    from (
      select provider_id, case when celsius is not null and count(*) over nights >= 5
        then celsius - avg(celsius) over nights end as deviation
      from (
        select provider_id, started_at,
          case when score_state = 'scored' then (detail ->> 'skinTempCelsius')::double precision end as celsius
        from restwell.record
        where user_id = ${userId} and provider = ${provider} and kind = 'recovery' and started_at >= (
          select coalesce(min(started_at), ${since}) from (
            select started_at from restwell.record
            where user_id = ${userId} and provider = ${provider} and kind = 'recovery' and started_at < ${since}
              and score_state = 'scored' and detail ->> 'skinTempCelsius' is not null
            order by started_at desc limit 30
          ) baseline)
      ) recoveries
      -- Nights without a temperature are apart from those with one, and count in no baseline.
      window nights as (
        partition by celsius is null order by started_at, provider_id rows between 30 preceding and 1 preceding)
    ) settled
    where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery' and r.provider_id = settled.provider_id
      and r.started_at >= ${since} and r.skin_temp_deviation is distinct from settled.deviation
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

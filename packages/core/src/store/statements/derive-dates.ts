import type { NormalizedRecord } from "@restwell/providers"
import { BASELINE_NIGHTS, CYCLE_DATE_AFTER_START_MS, MIN_BASELINE_NIGHTS } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import { type Database, withoutJoins } from "../database.ts"
import type { RecordKey } from "./delete-records.ts"
import { nightsAround } from "./read-nights.ts"

/** Versions to store, and records to delete. */
interface Changes {
  readonly records: readonly NormalizedRecord[]
  readonly deleted: readonly RecordKey[]
}

/** Vendor ids of the records whose derived values a change may affect. Extra ids cost time and change nothing. */
interface Affected {
  readonly cycles: readonly string[]
  readonly sleeps: readonly string[]
  readonly recoveries: readonly string[]
  /** The earliest start of a recovery that changes or is deleted, before the change. */
  readonly recoveredAt: Date | null
  /** When the sleeps of the changes begin, before and after them. A cycle begins with its sleep. */
  readonly sleptAt: readonly Date[]
}

/** The date of the night of each sleep that is a part of one. */
type NightDates = readonly { readonly provider_id: string; readonly date: string }[]

/**
 * Changes records, and derives what they take from other records:
 * - a cycle's date is that of its main sleep (its first sleep that is not a nap), or the local date 12 hours after its start;
 * - a recovery has the date, time and offset of its sleep; without it, of its cycle; without both, its creation in UTC;
 * - a sleep that is a part of a night (`groupNights`) gives them the date of the night, which may end on the next date;
 * - the skin temperature's deviation is the vendor's own, or else from the mean of the previous 30 scored nights, and null before 5 of
 *   them;
 * - the person's UTC offset is that of the newest record. At equal starts a sleep wins over a cycle, whose offset is that of its start.
 *
 * Only records that the change can affect are read, so a new night costs the same after ten years as after ten days. Everything else must
 * be derived already. Rows that stay the same are not written.
 */
export async function changeAndDerive(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  changes: Changes,
  change: () => Promise<void>,
): Promise<void> {
  const before = await affectedBy(transaction, connection, changes)
  await change()
  const { nights, affected } = await withNights(transaction, connection, before)
  await withoutJoins(transaction, ["nestloop"], async () => {
    if (affected.cycles.length > 0) await deriveCycleDates(transaction, connection, affected, nights)
    const movedAt = hasAny(affected) ? await deriveRecoveryTimes(transaction, connection, affected, nights) : null
    const since = earlier(affected.recoveredAt, movedAt)
    if (since) await deriveSkinTempDeviations(transaction, connection, since)
    await deriveOffset(transaction, connection)
  })
}

const hasAny = ({ cycles, sleeps, recoveries }: Affected): boolean =>
  cycles.length + sleeps.length + recoveries.length > 0

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** Call it before the change: a sleep that moves to another cycle also affects the cycle it leaves. */
async function affectedBy(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { records, deleted }: Changes,
): Promise<Affected> {
  const keys: readonly RecordKey[] = [...records, ...deleted]
  const idsOf = (wanted: RecordKey["kind"]) =>
    keys.flatMap(({ kind, providerId }) => (kind === wanted ? [providerId] : []))
  const recovered = records.flatMap((record) => (record.kind === "recovery" ? (record.sleepProviderId ?? []) : []))
  const [cycles, recoveries] = [idsOf("cycle"), idsOf("recovery")]
  const sleeps = [...new Set([...idsOf("sleep"), ...recovered])]
  const { rows } = await sql<{ cycles: string[] | null; recovered_at: Date | null; slept_at: Date[] | null }>`
    select
      (select array_agg(started_at) from restwell.record
        where user_id = ${userId} and provider = ${provider} and kind = 'sleep' and provider_id = any(${sleeps})) as slept_at,
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
    sleptAt: [
      ...(rows[0]?.slept_at ?? []),
      ...records.flatMap((record) =>
        record.kind === "sleep" || record.kind === "cycle" ? [new Date(record.startMs)] : [],
      ),
    ],
  }
}

/**
 * Adds what depends on the other parts of the nights of some sleeps: a part that comes or goes may move the others' cycles and recoveries to
 * another date. The dates are of all nights that a cycle or recovery takes its own from.
 */
async function withNights(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  before: Affected,
): Promise<{ readonly nights: NightDates; readonly affected: Affected }> {
  const changed = await nightsAround(transaction, connection, before.sleptAt.map(spanOf))
  // What archives bring has dates of its own.
  const sleeps = [...changed.sleeps, ...changed.nights.flatMap((night) => night.sleeps)].filter(
    ({ from_archive }) => !from_archive,
  )
  const affected = {
    ...before,
    cycles: [...new Set([...before.cycles, ...sleeps.flatMap(({ cycle_provider_id }) => cycle_provider_id ?? [])])],
    sleeps: [...new Set([...before.sleeps, ...sleeps.map(({ provider_id }) => provider_id)])],
  }
  const times = await timesOfSource(transaction, connection, affected)
  const read = new Set(changed.sleeps.map(({ started_at }) => started_at.getTime()))
  // A night of many parts, or a cycle of two sleeps, leads to nights further away. Most changes have none.
  const further = await nightsAround(transaction, connection, times.filter((at) => !read.has(at.getTime())).map(spanOf))
  return {
    nights: datesOf([...changed.nights, ...further.nights]),
    affected,
  }
}

/** The dates of the parts of nights in parts. Of a night that was read twice, once. */
function datesOf(nights: Awaited<ReturnType<typeof nightsAround>>["nights"]): NightDates {
  const dates = new Map(
    nights
      .filter(({ sleeps }) => sleeps.length > 1)
      .flatMap(({ sleeps, last }) => sleeps.map(({ provider_id }) => [provider_id, last.sleep.date] as const)),
  )
  return [...dates].map(([provider_id, date]) => ({ provider_id, date }))
}

const spanOf = (at: Date) => ({ fromMs: at.getTime(), toMs: at.getTime() })

/** When the sleeps began that the cycles and recoveries take their dates from. */
async function timesOfSource(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { cycles, sleeps, recoveries }: Affected,
): Promise<readonly Date[]> {
  const { rows } = await sql<{ started_at: Date }>`
    with joined as materialized (
      select sleep_provider_id from restwell.record
      where user_id = ${userId} and provider = ${provider} and kind = 'recovery'
        and (provider_id = any(${recoveries}) or sleep_provider_id = any(${sleeps}) or cycle_provider_id = any(${cycles}))
    )
    select started_at from restwell.record
    where user_id = ${userId} and provider = ${provider} and kind = 'sleep'
      and (cycle_provider_id = any(${cycles}) or provider_id = any(array(select sleep_provider_id from joined)))
  `.execute(transaction)
  return rows.map(({ started_at }) => started_at)
}

const deriveCycleDates = (
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { cycles }: Affected,
  nights: NightDates,
) =>
  sql`
    -- Reading \`detail\` is slow, so it is read for the sleeps of these cycles only.
    with sleeps as materialized (
      select cycle_provider_id, started_at, provider_id, date, detail
      from restwell.record
      where user_id = ${userId} and provider = ${provider} and kind = 'sleep' and cycle_provider_id = any(${cycles})
    )
    update restwell.record c set date = derived.date
    from (
      select c.provider_id, coalesce(
        night.date,
        (c.started_at at time zone 'UTC' + make_interval(mins => c.utc_offset_minutes) + make_interval(secs => ${CYCLE_DATE_AFTER_START_MS / 1000}))::date) as date
      from restwell.record c
      left join (
        select distinct on (s.cycle_provider_id) s.cycle_provider_id, coalesce(n.date, s.date) as date
        from sleeps s
        left join jsonb_to_recordset(${JSON.stringify(nights)}::jsonb) as n (provider_id text, date date) on n.provider_id = s.provider_id
        where not (s.detail ->> 'isNap')::boolean
        order by s.cycle_provider_id, s.started_at, s.provider_id
      ) night on night.cycle_provider_id = c.provider_id
      where c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle' and c.provider_id = any(${cycles})
    ) derived
    where c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle' and c.provider_id = derived.provider_id
      and c.provider_id = any(${cycles}) and c.date is distinct from derived.date
  `.execute(transaction)

/** @returns the earliest start of the candidates, before or after */
async function deriveRecoveryTimes(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { cycles, sleeps, recoveries }: Affected,
  nights: NightDates,
): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    -- \`any\` makes the planner find the joined rows by their keys.
    with candidates as materialized (
      select provider_id, started_at, sleep_provider_id, cycle_provider_id, detail
      from restwell.record
      where user_id = ${userId} and provider = ${provider} and kind = 'recovery'
        and (provider_id = any(${recoveries}) or sleep_provider_id = any(${sleeps}) or cycle_provider_id = any(${cycles}))
    ), derived as (
      select r.provider_id,
        coalesce(n.date, s.date, c.date, (created.at at time zone 'UTC')::date) as date,
        coalesce(s.started_at, c.started_at, created.at) as started_at,
        coalesce(s.utc_offset_minutes, c.utc_offset_minutes, 0) as utc_offset_minutes
      from candidates r
      cross join lateral (select to_timestamp((r.detail ->> 'createdMs')::double precision / 1000) as at) created
      left join restwell.record s on s.user_id = ${userId} and s.provider = ${provider} and s.kind = 'sleep'
        and s.provider_id = r.sleep_provider_id and s.provider_id = any(array(select sleep_provider_id from candidates))
      left join jsonb_to_recordset(${JSON.stringify(nights)}::jsonb) as n (provider_id text, date date) on n.provider_id = s.provider_id
      left join restwell.record c on c.user_id = ${userId} and c.provider = ${provider} and c.kind = 'cycle'
        and c.provider_id = r.cycle_provider_id and c.provider_id = any(array(select cycle_provider_id from candidates))
    ), moved as (
      update restwell.record r
      set date = derived.date, started_at = derived.started_at, utc_offset_minutes = derived.utc_offset_minutes
      from derived
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery' and r.provider_id = derived.provider_id
        and r.provider_id = any(array(select provider_id from candidates))
        and (r.date, r.started_at, r.utc_offset_minutes)
          is distinct from (derived.date, derived.started_at, derived.utc_offset_minutes)
      returning r.started_at
    )
    select least((select min(started_at) from candidates), (select min(started_at) from moved)) as since
  `.execute(transaction)
  return rows[0]?.since ?? null
}

/** @param since the deviations of earlier nights stay the same */
export const deriveSkinTempDeviations = (
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  since: Date,
) =>
  sql`
    update restwell.record r set skin_temp_deviation = derived.deviation
    from (
      select provider_id, coalesce(own_deviation, case when celsius is not null and count(*) over nights >= ${sql.lit(MIN_BASELINE_NIGHTS)}
        then (celsius - avg(celsius) over nights)::double precision end) as deviation
      from (
        select provider_id, started_at, (detail ->> 'skinTempDeviationCelsius')::double precision as own_deviation,
          -- Decimal figures, so that equal deviations are equal numbers and a constant temperature deviates by nothing.
          case when score_state = 'scored' then (detail ->> 'skinTempCelsius')::numeric end as celsius
        from restwell.record
        where user_id = ${userId} and provider = ${provider} and kind = 'recovery' and started_at >= (
          select coalesce(min(started_at), ${since}) from (
            select started_at from restwell.record
            where user_id = ${userId} and provider = ${provider} and kind = 'recovery' and started_at < ${since}
              and score_state = 'scored' and detail ->> 'skinTempCelsius' is not null
            order by started_at desc limit ${BASELINE_NIGHTS}
          ) baseline)
      ) recoveries
      -- Nights without a temperature are a partition of their own, and count in no baseline.
      window nights as (
        partition by celsius is null order by started_at, provider_id rows between ${sql.lit(BASELINE_NIGHTS)} preceding and 1 preceding)
    ) derived
    where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'recovery' and r.provider_id = derived.provider_id
      and r.started_at >= ${since} and r.skin_temp_deviation is distinct from derived.deviation
  `.execute(transaction)

/** The person's UTC offset is that of the newest record. Null without any. */
export const deriveOffset = (transaction: Transaction<Database>, { userId }: ConnectionId) =>
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

import { SECOND_MS } from "@restwell/client/time-units"
import type { RecordKind } from "@restwell/providers"
import { CYCLE_DATE_AFTER_START_MS } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import { type Database, withoutJoins } from "../database.ts"
import type { RecordKey } from "./delete-records.ts"
import { countsDays, deriveCounts } from "./derive-counts.ts"
import { deriveOffset, deriveSkinTempDeviations } from "./derive-dates.ts"
import { hiddenRecords, shareHalf } from "./hidden-records.ts"
import { type DatesOfNights, datesOfNights, type StartRange } from "./read-nights.ts"
import { recordColumns, recordColumnsOfNights, replaceVersion, versionColumns } from "./record-columns.ts"

/*
 * Imports keep their rows apart, in `import_record`. Answers are made from `record`, which has a copy of an archive's record where the
 * vendor's own record is missing. Two records of a kind are one when their starts are within 2 seconds:
 * - the vendor's own record hides an archive's. So does its own sleep or workout that shares half of the shorter one with an archive's,
 *   because times are edited after an archive was made. Of a sleep that is hidden so, the cycle that began with it and its recovery are
 *   hidden too, where the vendor has its own of the date;
 * - a record with the vendor's id (of our own export) hides one whose id was made from its start;
 * - of one id's versions, a scored one wins over an unscored one, an ended one over an open one, then the one of higher precedence, then
 *   the newest import;
 * - so does one of two sleeps of different imports that share half of the shorter one: a part of a night may look like a nap. The cycle that
 *   began with the other one and its recovery are hidden, where the winning sleep has its own. So does one of two workouts that share half,
 *   unless both have ids of the vendor;
 * - a sleep and a workout of two imports that begin and end in the same seconds, without ids of the vendor, are one row of the vendor's that
 *   was read in two ways: the newest import's counts.
 * A cycle or recovery of a night in parts has the date of the night, as the vendor's own ones do (derive-dates.ts).
 * The steps, energy and distance of a day are those of the samples of all imports together (derive-counts.ts).
 * The copies are a function of both tables, so imports, syncs and undos may happen in any order.
 */

/** Starts of the records whose copies may change. */
interface ChangedRange extends StartRange {
  /** The dates whose samples changed. @default all in the range of starts */
  readonly dates?: readonly string[]
}
export const ALL_TIME: ChangedRange = { from: null, to: null }

/** True if an archive has data of this provider. */
export async function hasArchives(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from restwell.import_record r join restwell.import i on i.user_id = r.user_id and i.id = r.import_id
        where r.user_id = ${userId} and r.provider = ${provider} and i.status = 'done')
      or exists (select from restwell.journal_answer r join restwell.import i on i.user_id = r.user_id and i.id = r.import_id
        where r.user_id = ${userId} and r.provider = ${provider} and i.status = 'done')
      or exists (select from restwell.import_profile r join restwell.import i on i.user_id = r.user_id and i.id = r.import_id
        where r.user_id = ${userId} and r.provider = ${provider} and i.status = 'done')
      or exists (select from restwell.import_series_day r join restwell.import i on i.user_id = r.user_id and i.id = r.import_id
        where r.user_id = ${userId} and r.provider = ${provider} and i.status = 'done')
      or exists (select from restwell.import where user_id = ${userId} and pushed_provider = ${provider}) as found
  `.execute(transaction)
  return rows[0]?.found === true
}

/** Longer than a sleep: one that begins before the range may hide another one within it. */
const NEIGHBOUR_SECONDS = 86_400

/** Brings the copies of archives' records up to date. @returns how many copies of each import were written */
export async function projectArchives(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  range: ChangedRange,
): Promise<ReadonlyMap<string, number>> {
  await deriveCounts(transaction, connection, range.dates)
  return withoutJoins(transaction, ["nestloop", "mergejoin"], async () => {
    const first = await projectRecords(transaction, connection, { kinds: ["sleep", "workout"], range, dates: [] })
    const ofNights = await datesOfNights(transaction, connection, range)
    const second = await projectRecords(transaction, connection, { kinds: ["cycle", "recovery"], ...ofNights })
    const changedFrom = [first, second]
      .flatMap(({ changed_from: from }) => from ?? [])
      .reduce<Date | null>((earliest, from) => (earliest && earliest < from ? earliest : from), null)
    await projectProfile(transaction, connection)
    await dateAnswers(transaction, connection, ofNights.range)
    if (changedFrom) {
      await deriveSkinTempDeviations(transaction, connection, changedFrom)
      await deriveOffset(transaction, connection)
    }
    const written = new Map<string, number>()
    for (const [id, copies] of [first, second].flatMap((one) => Object.entries(one.written ?? {})))
      written.set(id, copies + (written.get(id) ?? 0))
    return written
  })
}

interface Projected {
  readonly written: Record<string, number> | null
  readonly changed_from: Date | null
}

interface Projection {
  /** Dates depend on sleeps, so those are brought up to date first. */
  readonly kinds: readonly RecordKind[]
  readonly range: StartRange
  readonly dates: DatesOfNights
}

async function projectRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { kinds, range: { from, to }, dates }: Projection,
): Promise<Projected> {
  const isIn = (startedAt: string, seconds: number) => sql`${sql.ref(startedAt)} between
    coalesce(${from}::timestamptz - make_interval(secs => ${sql.lit(seconds)}), '-infinity')
    and coalesce(${to}::timestamptz + make_interval(secs => ${sql.lit(seconds)}), 'infinity')`
  // Neighbours of the range are read too: whether a record at its edge is hidden depends on them.
  const isNear = (startedAt: string) => isIn(startedAt, NEIGHBOUR_SECONDS)
  const { rows } = await sql<Projected>`
    with ${hiddenRecords({ userId, provider }, { isNear, hasNights: kinds.includes("recovery") })}, archived as materialized (
      select r.*, i.number
      from restwell.import_record r join restwell.import i on i.user_id = r.user_id and i.id = r.import_id and i.status = 'done'
      left join hidden h on h.import_id = r.import_id and h.kind = r.kind and h.provider_id = r.provider_id
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = any(${kinds}) and h.import_id is null
        and ${isNear("r.started_at")}
        -- The samples of a day may count for other dates by now.
        and (r.kind <> 'cycle' or ${!countsDays(provider)} or r.detail::jsonb ?|
          array['steps', 'energyKcal', 'activeEnergyKcal', 'distanceMeters', 'averageHeartRateBpm', 'maxHeartRateBpm'])
    ), marked as (
      select kind, started_at, provider_id, import_id, case when has_vendor_id then 1 else 2 end as rank from archived
      union all
      select kind, started_at, provider_id, null, 0 from restwell.record
      where user_id = ${userId} and provider = ${provider} and kind = any(${kinds}) and not from_archive
        and ${isNear("started_at")}
    ), split as (
      select *, case when started_at - lag(started_at) over starts <= interval '2 seconds' then 0 else 1 end as begins
      from marked window starts as (partition by kind order by started_at, rank, provider_id, import_id)
    ), grouped as (
      select *, sum(begins) over (
        partition by kind order by started_at, rank, provider_id, import_id rows unbounded preceding) as same
      from split
    ), ranked as (
      select *, min(rank) over (partition by kind, same) as best, min(rank) over (partition by kind, provider_id) as best_of_id
      from grouped
    ), best as materialized (
      select distinct on (a.kind, a.provider_id) a.*
      from archived a join ranked k
        on k.import_id = a.import_id and k.kind = a.kind and k.provider_id = a.provider_id and k.rank = k.best and k.best_of_id > 0
      order by a.kind, a.provider_id, a.score_state = 'scored' desc, a.ended_at is not null desc, a.precedence desc, a.number desc
    ), versions as (
      select b.kind, b.provider_id, b.import_id, b.number, b.precedence, b.score_state, b.started_at, b.ended_at, b.has_vendor_id,
        b.date + days as near
      from best b cross join generate_series(-1, 1) as days where b.kind in ('sleep', 'workout')
    ), twins as materialized (
      select kind, started_at, ended_at, number from archived where kind in ('sleep', 'workout') and not has_vendor_id
    ), wanted as materialized (
      select b.*, coalesce(n.date, b.date) as night_date
      from best b left join jsonb_to_recordset(${JSON.stringify(dates)}::jsonb) as n (key text, date date) on n.key = case
        when b.kind = 'cycle' then 'cycle/' || b.provider_id
        when b.kind = 'recovery' then coalesce('sleep/' || b.sleep_provider_id, 'cycle/' || b.cycle_provider_id) end
      where ${isIn("b.started_at", 2)} and not exists (
        select from twins t where not b.has_vendor_id and b.kind in ('sleep', 'workout') and t.kind <> b.kind
          and t.started_at = b.started_at and t.ended_at = b.ended_at and t.number > b.number)
        and not exists (
        select from versions s where s.kind = b.kind and s.near = b.date and s.import_id <> b.import_id
          and (b.kind = 'sleep' or not (s.has_vendor_id and b.has_vendor_id)) and ${shareHalf("s", "b")}
          and (s.score_state = 'scored', s.precedence, s.number, s.provider_id)
            > (b.score_state = 'scored', b.precedence, b.number, b.provider_id))
    ), removed as (
      delete from restwell.record r
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = any(${kinds}) and r.from_archive
        and ${isIn("r.started_at", 2)} and not exists (select from wanted w where w.kind = r.kind and w.provider_id = r.provider_id)
      returning started_at
    ), written as (
      insert into restwell.record as stored (user_id, provider, was_direct, from_archive, ${recordColumns})
      select user_id, provider, was_direct, true, ${recordColumnsOfNights} from wanted
      on conflict (user_id, provider, kind, provider_id) do update set was_direct = excluded.was_direct, ${replaceVersion}
      where stored.from_archive and (stored.was_direct <> excluded.was_direct
        or ${versionColumns("stored")} is distinct from ${versionColumns("excluded")})
      returning kind, provider_id, started_at
    )
    select
      (select jsonb_object_agg(import_id, copies) from (
        select w.import_id, count(*)::integer as copies from written join wanted w using (kind, provider_id)
        group by w.import_id) counted) as written,
      (select min(started_at) from (select started_at from removed union all select started_at from written) changed) as changed_from
  `.execute(transaction)
  return rows[0] ?? { written: null, changed_from: null }
}

/** The vendor's own profile hides those of archives. Of them the newest counts. */
async function projectProfile(transaction: Transaction<Database>, { userId, provider }: ConnectionId): Promise<void> {
  await sql`
    with newest as (
      select p.* from restwell.import_profile p
      join restwell.import i on i.user_id = p.user_id and i.id = p.import_id and i.status = 'done'
      where p.user_id = ${userId} and p.provider = ${provider}
      order by p.fetched_at desc, p.import_id desc limit 1
    ), removed as (
      delete from restwell.profile
      where user_id = ${userId} and provider = ${provider} and from_archive and not exists (select from newest)
    )
    insert into restwell.profile as stored (user_id, provider, data, raw, fetched_at, from_archive)
    select user_id, provider, data, raw, fetched_at, true from newest
    on conflict (user_id, provider) do update
      set data = excluded.data, raw = excluded.raw, fetched_at = excluded.fetched_at where stored.from_archive
  `.execute(transaction)
}

/**
 * An answer without a date of its own has that of its cycle, which is that of waking, or is 12 hours after the cycle's start. Those of a cycle
 * that is stored are marked, because others give way to them.
 */
async function dateAnswers(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { from, to }: StartRange,
): Promise<void> {
  await sql`
    with cycles as materialized (
      select j.cycle_started_at, min(j.utc_offset_minutes) as utc_offset_minutes,
        floor(extract(epoch from j.cycle_started_at) / 4)::bigint as bucket
      from restwell.journal_answer j
      where j.user_id = ${userId} and j.provider = ${provider} and j.provider_id = ''
        and j.cycle_started_at between coalesce(${from}::timestamptz - interval '2 seconds', '-infinity')
          and coalesce(${to}::timestamptz + interval '2 seconds', 'infinity')
      group by j.cycle_started_at
    ), near as materialized (
      -- Starts within 2 seconds are in the same 4 seconds, or in the ones beside.
      select cycle_started_at, unnest(array[bucket - 1, bucket, bucket + 1]) as bucket from cycles
    ), stored as materialized (
      select r.started_at, r.date, r.from_archive, r.provider_id, floor(extract(epoch from r.started_at) / 4)::bigint as bucket
      from restwell.record r
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'cycle'
        and r.started_at between coalesce(${from}::timestamptz - interval '4 seconds', '-infinity')
          and coalesce(${to}::timestamptz + interval '4 seconds', 'infinity')
    ), found as (
      select distinct on (n.cycle_started_at) n.cycle_started_at, s.date
      from near n join stored s on s.bucket = n.bucket
      where s.started_at between n.cycle_started_at - interval '2 seconds' and n.cycle_started_at + interval '2 seconds'
      order by n.cycle_started_at, s.from_archive, s.provider_id
    ), dated as (
      select c.cycle_started_at, f.date is not null as has_cycle, coalesce(f.date,
        (c.cycle_started_at at time zone 'UTC' + make_interval(mins => c.utc_offset_minutes)
          + make_interval(secs => ${CYCLE_DATE_AFTER_START_MS / 1000}))::date) as date
      from cycles c left join found f on f.cycle_started_at = c.cycle_started_at
    )
    update restwell.journal_answer j set date = dated.date, has_cycle = dated.has_cycle from dated
    where j.user_id = ${userId} and j.provider = ${provider} and j.provider_id = '' and j.cycle_started_at = dated.cycle_started_at
      and (j.date, j.has_cycle) is distinct from (dated.date, dated.has_cycle)
  `.execute(transaction)
}

interface Change {
  readonly records: readonly RecordKey[]
  readonly deleted: readonly RecordKey[]
}

/** Remembers where a change of the vendor's records begins and ends, and then brings the copies there up to date. */
export async function archivesBeside(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  { records, deleted }: Change,
): Promise<{ readonly project: () => Promise<void> }> {
  if (!(await hasArchives(transaction, connection))) return { project: async () => {} }
  const keys = [...records, ...deleted]
  const before = await startsOf(transaction, connection, keys)
  return {
    project: async () => {
      const after = await startsOf(transaction, connection, keys)
      const starts = [before.from, before.to, after.from, after.to].flatMap((at) => (at ? [at.getTime()] : []))
      if (starts.length === 0) return
      // A sleep of a vendor hides an archive's that begins hours before or after it. Samples of archives do not change with records.
      const range = {
        from: new Date(Math.min(...starts) - NEIGHBOUR_SECONDS * SECOND_MS),
        to: new Date(Math.max(...starts) + NEIGHBOUR_SECONDS * SECOND_MS),
        dates: [],
      }
      await projectArchives(transaction, connection, range)
    },
  }
}

async function startsOf(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  keys: readonly RecordKey[],
): Promise<StartRange> {
  const ids = keys.map(({ kind, providerId }) => ({ kind, provider_id: providerId }))
  const { rows } = await sql<StartRange>`
    select min(r.started_at) as "from", max(r.started_at) as "to"
    from restwell.record r join jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as k (kind text, provider_id text)
      on k.kind = r.kind and k.provider_id = r.provider_id
    where r.user_id = ${userId} and r.provider = ${provider}
  `.execute(transaction)
  return rows[0] ?? ALL_TIME
}

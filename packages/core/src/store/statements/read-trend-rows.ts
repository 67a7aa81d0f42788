import { SERIES_TYPES, type Source } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import type { RecordKind, SleepCourse } from "@restwell/providers"
import { type Kysely, sql } from "kysely"
import type { Database } from "../database.ts"
import { parseStored, type StoredRecord, withoutLengthsAlone } from "../stored-record.ts"
import type { Lacking } from "./read-health.ts"
import type { AgedSource } from "./source-age.ts"

/** A stored record, and the course of a night that has one. */
export type TrendRecord = StoredRecord & { readonly course: SleepCourse | null }

/** A source that a person has or had. */
export interface StoredSource extends AgedSource {
  readonly status: Source["status"] | "disconnected"
  readonly lastSyncedAt: Date | null
  /** The oldest date that anything is stored of. */
  readonly oldestDate: string | null
  readonly newestDate: string | null
  /** The newest dates of its nights, without naps, and of its recoveries. */
  readonly newestOf: Readonly<Record<"sleep" | "recovery", string | null>>
  /** Whether it has given nothing so far: no record, no value within the day, and no push. */
  readonly isEmpty: boolean
}

interface Readable {
  readonly database: Kysely<Database>
}

/** Every source of a person by name, also disconnected ones. */
export async function readStoredSources({ database }: Readable, userId: string): Promise<StoredSource[]> {
  const { rows } = await sql<StoredSource>`
    select c.provider, restwell.shown_status(c.status, c.pushed_at) as status, coalesce(c.first_connected_at, c.connected_at) as "addedAt",
      coalesce(c.pushed_at, c.last_synced_at) as "lastSyncedAt",
      dates.oldest as "oldestDate", dates.newest as "newestDate",
      json_build_object(
        'sleep', (
          select r.date from restwell.record r
          where r.user_id = c.user_id and r.provider = c.provider and r.kind = 'sleep' and r.date is not null
            and r.detail ->> 'isNap' is distinct from 'true'
          order by r.date desc limit 1),
        'recovery', dates.recovery) as "newestOf",
      c.pushed_at is null and dates.oldest is null and not exists (
        select from unnest(${SERIES_TYPES}::text[]) as of (type)
        join restwell.series_day s on s.user_id = c.user_id and s.type = of.type and s.provider = c.provider) as "isEmpty"
    from restwell.connection c
    cross join lateral (
      -- The first and last entry of each kind: those of all kinds at once would be looked for among all of a history.
      select min(oldest.date)::text as oldest, max(newest.date)::text as newest,
        max(newest.date) filter (where of.kind = 'recovery')::text as recovery
      from unnest(array['sleep', 'recovery', 'workout', 'cycle']) as of(kind)
      left join lateral (
        select r.date from restwell.record r
        where r.user_id = c.user_id and r.provider = c.provider and r.kind = of.kind and r.date is not null
        order by r.date limit 1) oldest on true
      left join lateral (
        select r.date from restwell.record r
        where r.user_id = c.user_id and r.provider = c.provider and r.kind = of.kind and r.date is not null
        order by r.date desc limit 1) newest on true) dates
    where c.user_id = ${userId}
    order by c.provider`.execute(database)
  return rows
}

export interface TrendWindow {
  readonly userId: string
  readonly providers: readonly string[]
  readonly kinds: readonly RecordKind[]
  readonly from: string
  readonly to: string
}

/** What the sources lack in a window. */
export async function readLacking({ database }: Readable, window: TrendWindow): Promise<Lacking> {
  const { userId, providers, kinds, from, to } = window
  const [setAside, connections] = await Promise.all([
    database
      .selectFrom("rejected_record")
      .select(["provider", "kind", sql<string>`date::text`.as("date")])
      .where("user_id", "=", userId)
      .where("provider", "in", providers)
      .where("kind", "in", kinds)
      .where(sql<boolean>`date between ${from}::date and ${to}::date`)
      .execute(),
    database
      .selectFrom("connection")
      .select(["provider", "gaps"])
      .where("user_id", "=", userId)
      .where("provider", "in", providers)
      .where("status", "not in", ["disconnected", "archive"])
      .orderBy("provider")
      .execute(),
  ])
  return { setAside, gaps: connections.flatMap(({ provider, gaps }) => gaps.map((gap) => ({ ...gap, provider }))) }
}

/** The records of a window and of the dates beside it, oldest first. */
export async function readTrendRecords({ database }: Readable, window: TrendWindow): Promise<TrendRecord[]> {
  const { userId, providers, kinds, from, to } = window
  const { rows } = await sql<TrendRow>`
    select restwell.stored_record(r, r.detail) as record, course
    from restwell.record r
    where user_id = ${userId} and provider = any(${providers}) and kind = any(${kinds})
      and date between ${addDays(from, -1)}::date and ${addDays(to, 1)}::date
    order by date, started_at, provider_id, provider`.execute(database)
  return trendRecordsOf(rows)
}

/**
 * The sleeps and recoveries of each source on its newest dates with scored ones before a date, oldest first: what the first dates of a window
 * are measured by. Naps are left out.
 * @param count how many dates of each
 */
export async function readNightsBefore(
  { database }: Readable,
  { userId, providers, from }: Omit<TrendWindow, "kinds" | "to">,
  count: number,
): Promise<TrendRecord[]> {
  const { rows } = await sql<TrendRow>`
    select restwell.stored_record(r, r.detail) as record, null as course from unnest(${providers}::text[]) as of (provider)
    cross join unnest(array['sleep', 'recovery']) as part (kind)
    cross join lateral (
      select distinct scored.date from restwell.record scored
      where scored.user_id = ${userId} and scored.provider = of.provider and scored.kind = part.kind and scored.score_state = 'scored'
        and not (scored.kind = 'sleep' and scored.detail ->> 'isNap' = 'true') and scored.date < ${from}::date
      order by scored.date desc
      limit ${count}) dates
    join restwell.record r on r.user_id = ${userId} and r.provider = of.provider and r.kind = part.kind and r.date = dates.date
      and not (r.kind = 'sleep' and r.detail ->> 'isNap' = 'true')
    order by r.date, r.started_at`.execute(database)
  return trendRecordsOf(rows)
}

interface TrendRow {
  readonly record: string
  readonly course: SleepCourse | null
}

const trendRecordsOf = (rows: readonly TrendRow[]): TrendRecord[] =>
  withoutLengthsAlone(
    parseStored<StoredRecord[]>(`[${rows.map(({ record }) => record).join()}]`).map((record, index) => ({
      ...record,
      course: rows[index]?.course ?? null,
    })),
  )

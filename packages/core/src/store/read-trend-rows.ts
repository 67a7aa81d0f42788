import type { Source } from "@restwell/client"
import type { Kysely } from "kysely"
import { sql } from "kysely"
import type { Database } from "./database.ts"
import type { CycleFact, HealthFact, RecoveryFact, SleepFact, WorkoutFact } from "./stored-record.ts"

interface Placed {
  readonly startedAt: Date
  readonly utcOffsetMinutes: number
}
/** A stored record as a trend needs it: when it began, and on which clock. */
export type TrendFact = (SleepFact & Placed) | (RecoveryFact & Placed) | (WorkoutFact & Placed) | (CycleFact & Placed)

/** Where a person's trends come from: the provider that answers read from, or one that was disconnected with its data kept. */
export interface TrendSource {
  readonly utcOffsetMinutes: number | null
  readonly timeZone: string | null
  readonly provider: string | null
  readonly status: Source["status"] | "disconnected" | null
  readonly lastSyncedAt: Date | null
  /** The oldest date that anything is stored of. */
  readonly oldestDate: string | null
}

interface Readable {
  readonly database: Kysely<Database>
}

export async function readTrendSource({ database }: Readable, userId: string): Promise<TrendSource> {
  const { rows } = await sql<TrendSource>`
    select p.utc_offset_minutes as "utcOffsetMinutes", p.time_zone as "timeZone", c.provider, c.status,
      c.last_synced_at as "lastSyncedAt",
      (select min(oldest.date)::text
       from unnest(array['sleep', 'recovery', 'workout', 'cycle']) as of(kind)
       cross join lateral (
         -- The first entry of a kind: the oldest of all kinds at once would be looked for among all of a history.
         select r.date from restwell.record r
         where r.user_id = p.user_id and r.provider = c.provider and r.kind = of.kind and r.date is not null
         order by r.date limit 1) oldest) as "oldestDate"
    from restwell.person p
    left join lateral (
      select * from restwell.connection c where c.user_id = p.user_id
      order by c.status = 'disconnected', c.status = 'archive', c.connected_at limit 1) c on true
    where p.user_id = ${userId}`.execute(database)
  const [row] = rows
  if (!row) throw new Error("a session of a person who is not there")
  return row
}

interface Window {
  readonly userId: string
  readonly provider: string
  readonly from: string
  readonly to: string
}

/** The records of a window, oldest first. */
export async function readTrendFacts({ database }: Readable, window: Window): Promise<TrendFact[]> {
  const { userId, provider, from, to } = window
  const { rows } = await sql<TrendFact>`
    select kind, date::text, score_state as "scoreState", skin_temp_deviation as "skinTempDeviation", detail, started_at as "startedAt",
      coalesce(utc_offset_minutes, 0) as "utcOffsetMinutes"
    from restwell.record
    where user_id = ${userId} and provider = ${provider} and date between ${from}::date and ${to}::date
    order by date, started_at, provider_id`.execute(database)
  return rows
}

/** The newest scored recoveries of before a date, oldest first: what the first dates of a window are measured by. */
export async function readRecoveriesBefore(
  { database }: Readable,
  { userId, provider, from }: Omit<Window, "to">,
  count: number,
): Promise<Extract<HealthFact, { kind: "recovery" }>[]> {
  const { rows } = await sql<RecoveryFact>`
    select kind, date::text, score_state as "scoreState", skin_temp_deviation as "skinTempDeviation", detail
    from restwell.record
    where user_id = ${userId} and provider = ${provider} and kind = 'recovery' and score_state = 'scored'
      and date < ${from}::date
    order by date desc, started_at desc, provider_id desc
    limit ${count}`.execute(database)
  return rows.toReversed()
}

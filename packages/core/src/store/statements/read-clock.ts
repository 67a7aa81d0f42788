import type { Pool } from "pg"
import { runStatement } from "../pool.ts"

/** From this instant on, the person's clock has this offset. */
export interface ClockChange {
  /** Epoch milliseconds. */
  readonly atMs: number
  /** East of UTC. */
  readonly minutes: number
}

/**
 * Where a person's clock changed: the UTC offset at the end of each sleep and at the start of each workout, and the last ones before.
 * $1 person, $2 first and $3 last instant
 */
const READ_CLOCK = {
  name: "read-clock",
  text: `
    select (extract(epoch from at) * 1000)::float8 as "atMs", minutes
    from (select at, minutes, lag(minutes) over (order by at, minutes) as before from (
      select case r.kind when 'sleep' then r.ended_at else r.started_at end as at, r.utc_offset_minutes as minutes
      from restwell.record r
      where r.user_id = $1 and r.started_at between $2 and $3 and r.kind in ('sleep', 'workout') and r.utc_offset_minutes is not null
      union all
      (select case r.kind when 'sleep' then r.ended_at else r.started_at end, r.utc_offset_minutes
      from restwell.record r
      where r.user_id = $1 and r.started_at < $2 and r.kind in ('sleep', 'workout') and r.utc_offset_minutes is not null
      order by r.started_at desc limit 4)) points
    where at is not null) clocks
    where minutes is distinct from before
    order by at, minutes`,
}

/** The offsets of a person's clock in a time and at the last moment before it that is known, oldest first. */
export async function readClockChanges(pool: Pool, userId: string, from: Date, to: Date): Promise<ClockChange[]> {
  const { rows } = await runStatement<ClockChange>(pool, READ_CLOCK, [userId, from, to])
  return rows
}

const READ_VERSION = {
  name: "read-data-version",
  text: "select data_version from restwell.person where user_id = $1",
}

/** Whether the person's data still have this version. */
export async function isOfVersion(pool: Pool, userId: string, version: string): Promise<boolean> {
  const { rows } = await runStatement<{ data_version: string }>(pool, READ_VERSION, [userId])
  return rows[0]?.data_version === version
}

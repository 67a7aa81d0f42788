import type { RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import type { ClockChange } from "../../base/calendar.ts"
import { runStatement } from "../pool.ts"

/**
 * Where a person's clock changed: the UTC offset at the end of each sleep and at the start of each other record, the last ones before, and the
 * next one after, which is the clock of the dates before all records.
 * $1 person, $2 first and $3 last instant, $4 kinds of records
 */
const READ_CLOCK = {
  name: "read-clock",
  text: `
    select (extract(epoch from at) * 1000)::float8 as "atMs", minutes
    from (select at, minutes, lag(minutes) over (order by at, minutes) as before from (
      select case r.kind when 'sleep' then r.ended_at else r.started_at end as at, r.utc_offset_minutes as minutes
      from restwell.record r
      where r.user_id = $1 and r.started_at between $2 and $3 and r.kind = any ($4::text[]) and r.utc_offset_minutes is not null
      union all
      (select case r.kind when 'sleep' then r.ended_at else r.started_at end, r.utc_offset_minutes
      from restwell.record r
      where r.user_id = $1 and r.started_at < $2 and r.kind = any ($4::text[]) and r.utc_offset_minutes is not null
      order by r.started_at desc limit 4)
      union all
      (select case r.kind when 'sleep' then r.ended_at else r.started_at end, r.utc_offset_minutes
      from restwell.record r
      where r.user_id = $1 and r.started_at > $3 and r.kind = any ($4::text[]) and r.utc_offset_minutes is not null
      order by r.started_at limit 1)) points
    where at is not null) clocks
    where minutes is distinct from before
    order by at, minutes`,
}

/** The offsets of a person's clock in a time, and at the last moment before it and the first after it that are known, oldest first. */
export async function readClockChanges(
  pool: Pool,
  userId: string,
  { from, to, kinds }: { readonly from: Date; readonly to: Date; readonly kinds: readonly RecordKind[] },
): Promise<ClockChange[]> {
  const { rows } = await runStatement<ClockChange>(pool, READ_CLOCK, [userId, from, to, kinds])
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

const READ_VERSIONS = {
  name: "read-data-versions",
  text: `select user_id as "userId", data_version as "dataVersion" from restwell.person where user_id = any ($1::text[])`,
}

/** The versions of several people's data, by person. */
export async function readVersions(pool: Pool, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await runStatement<{ userId: string; dataVersion: string }>(pool, READ_VERSIONS, [userIds])
  return new Map(rows.map(({ userId, dataVersion }) => [userId, dataVersion]))
}

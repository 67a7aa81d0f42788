// Which records of archives give way, because what they are about was edited at the vendor after the archive was made.
import { type RawBuilder, sql } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"

/** True where two records share at least half of the shorter one. */
export function shareHalf(one: string, other: string): RawBuilder<boolean> {
  const [start, end] = [sql.ref(`${one}.started_at`), sql.ref(`${one}.ended_at`)]
  const [otherStart, otherEnd] = [sql.ref(`${other}.started_at`), sql.ref(`${other}.ended_at`)]
  const shared = sql`least(${end}, ${otherEnd}) - greatest(${start}, ${otherStart})`
  return sql<boolean>`(${shared} > interval '0' and ${shared} >= least(${end} - ${start}, ${otherEnd} - ${otherStart}) / 2)`
}

interface Nearness {
  /** True for starts that are read. */
  readonly isNear: (startedAt: string) => RawBuilder<unknown>
  /** True once the sleeps of the archives are up to date in `record`. */
  readonly hasNights: boolean
}

/** The common table expression `hidden`, and those that it is made of. It has import, kind and id of each record. */
export function hiddenRecords(
  { userId, provider }: ConnectionId,
  { isNear, hasNights }: Nearness,
): RawBuilder<unknown> {
  const isOf = (table: string) => sql`${sql.ref(`${table}.user_id`)} = ${userId}
    and ${sql.ref(`${table}.provider`)} = ${provider} and ${isNear(`${table}.started_at`)}`
  const nightsCycle = sql`case when r.kind = 'sleep' and not (r.detail ->> 'isNap')::boolean then r.cycle_provider_id end`
  return sql`direct as materialized (
      select r.kind, r.started_at, r.ended_at, r.date from restwell.record r where ${isOf("r")} and not r.from_archive
    ), edited as materialized (
      select r.import_id, r.kind, r.provider_id, d.date, ${nightsCycle} as cycle_provider_id
      from restwell.import_record r
      join (select direct.*, direct.date + days as near from direct cross join generate_series(-1, 1) as days) d
        on d.kind = r.kind and d.near = r.date
      where ${isOf("r")} and r.kind in ('sleep', 'workout') and ${shareHalf("d", "r")}
    ), sleeps as materialized (
      select r.provider_id, r.cycle_provider_id, r.started_at, r.ended_at, r.date from restwell.record r
      where ${hasNights} and ${isOf("r")} and r.kind = 'sleep'
    ), lost as materialized (
      -- Versions of sleeps that another archive's version hides.
      select r.import_id, r.provider_id, ${nightsCycle} as cycle_provider_id, s.provider_id as sleep_now, s.cycle_provider_id as cycle_now
      from restwell.import_record r
      join (select sleeps.*, sleeps.date + days as near from sleeps cross join generate_series(-1, 1) as days) s
        on s.near = r.date
      where ${isOf("r")} and r.kind = 'sleep' and ${shareHalf("s", "r")}
        and not exists (select from sleeps k where k.provider_id = r.provider_id)
    ), belonging as materialized (
      select r.kind, r.provider_id, r.sleep_provider_id from restwell.import_record r
      join restwell.import i on i.user_id = r.user_id and i.id = r.import_id and i.status = 'done'
      where ${hasNights} and ${isOf("r")} and r.kind in ('cycle', 'recovery')
    ), hidden as materialized (
      select import_id, kind, provider_id from edited
      union
      select r.import_id, r.kind, r.provider_id from restwell.import_record r
      join edited e on e.import_id = r.import_id and e.kind = 'sleep' and e.provider_id = r.sleep_provider_id
      join direct d on d.kind = r.kind and d.date = e.date
      where ${isOf("r")} and r.kind = 'recovery'
      union
      select r.import_id, r.kind, r.provider_id from restwell.import_record r
      join edited e on e.import_id = r.import_id and e.cycle_provider_id = r.provider_id
      join direct d on d.kind = r.kind and d.date = e.date
      where ${isOf("r")} and r.kind = 'cycle'
      union
      select r.import_id, r.kind, r.provider_id from restwell.import_record r
      join lost l on l.import_id = r.import_id and l.provider_id = r.sleep_provider_id
      join belonging b on b.kind = r.kind and b.sleep_provider_id = l.sleep_now and b.provider_id <> r.provider_id
      where ${isOf("r")} and r.kind = 'recovery'
      union
      select r.import_id, r.kind, r.provider_id from restwell.import_record r
      join lost l on l.import_id = r.import_id and l.cycle_provider_id = r.provider_id
      join belonging b on b.kind = r.kind and b.provider_id = l.cycle_now and b.provider_id <> r.provider_id
      where ${isOf("r")} and r.kind = 'cycle'
    )`
}

/* Equal reads of a day are one entry once they are a week old, because programs that poll fill the log. */
import { DAY_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import { type Context, LOG_DAYS } from "../context/context.ts"

/** An entry keeps its own time for these days, by the database's clock, which refuses to fold younger ones. */
const OWN_TIME_DAYS = 7
/** People per statement, so that none takes long. */
const BATCH = 200
/** What equal reads have in common, beside their day. */
const SAME = sql.raw(
  "user_id, reader, key_name, client_id, operation, types, start_date, end_date, record_count, outcome",
)

/**
 * Makes one entry of equal reads of a UTC day: the newest one stays, and `reads` counts them all. Reads are equal that have the same reader,
 * request, dates, number of records and outcome. Two processes at once do the same, and neither loses a read.
 */
export async function foldAccessLog({ database }: Pick<Context, "database">): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(database)
  const newest = Math.floor(Number(rows[0]?.now) / DAY_MS) - OWN_TIME_DAYS - 1
  for (let day = newest; day > newest - LOG_DAYS; day -= 1) {
    const state = await foldDay(database, new Date(day * DAY_MS), new Date((day + 1) * DAY_MS))
    // The days before were folded when this one was.
    if (state === "folded before") return
  }
}

async function foldDay(database: Context["database"], from: Date, to: Date): Promise<"folded" | "folded before"> {
  const people = await sql<{ userId: string; hasEqual: boolean }>`
    select user_id as "userId", bool_or(entries > 1) as "hasEqual"
    from (
      select user_id, count(*) as entries from restwell.access_log where at >= ${from} and at < ${to}
      group by ${SAME}) requests
    group by user_id`.execute(database)
  const withEqual = people.rows.filter(({ hasEqual }) => hasEqual).map(({ userId }) => userId)
  for (let start = 0; start < withEqual.length; start += BATCH)
    await database.transaction().execute(async (transaction) => {
      await sql`select set_config('restwell.folds_access_log', 'on', true)`.execute(transaction)
      await foldDayOf(transaction, withEqual.slice(start, start + BATCH), { from, to })
    })
  return people.rows.length > 0 && withEqual.length === 0 ? "folded before" : "folded"
}

const foldDayOf = (database: Context["database"], people: readonly string[], { from, to }: { from: Date; to: Date }) =>
  sql`
    with groups as materialized (
      select user_id, max(id) as kept, array_agg(id) as ids, sum(reads)::integer as reads
      from restwell.access_log
      where user_id = any (${people}) and at >= ${from} and at < ${to}
      group by ${SAME}
      having count(*) > 1
    ), counted as (
      update restwell.access_log entry set reads = groups.reads
      from groups where entry.user_id = groups.user_id and entry.id = groups.kept
    )
    delete from restwell.access_log entry
    using (select user_id, kept, unnest(ids) as id from groups) equal
    where entry.user_id = equal.user_id and entry.id = equal.id and equal.id <> equal.kept`.execute(database)

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

/** Days of one run, so that a log that nobody folded for months does not keep the database busy. The next run goes on. */
const MOST_DAYS = 30

/**
 * Makes one entry of equal reads of a UTC day: the newest one stays, and `reads` counts them all. Reads are equal that have the same reader,
 * request, dates, number of records and outcome. Days are folded oldest first, so those before a folded one are folded too. Two processes
 * at once do the same, and neither loses a read.
 */
export async function foldAccessLog({ database }: Pick<Context, "database">): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(database)
  const newest = Math.floor(Number(rows[0]?.now) / DAY_MS) - OWN_TIME_DAYS - 1
  const unfolded: Day[] = []
  for (let number = newest; number > newest - LOG_DAYS; number -= 1) {
    const day = { from: new Date(number * DAY_MS), to: new Date((number + 1) * DAY_MS) }
    const people = await readPeople(database, day)
    const withEqual = people.flatMap(({ userId, hasEqual }) => (hasEqual ? [userId] : []))
    if (withEqual.length > 0) unfolded.push({ ...day, people: withEqual })
    // A day of different reads alone says nothing of those before it.
    else if (people.some(({ hasCounted }) => hasCounted)) break
  }
  for (const day of unfolded.toReversed().slice(0, MOST_DAYS)) await foldDay(database, day)
}

interface Day {
  readonly from: Date
  readonly to: Date
  /** Who has equal reads. */
  readonly people: readonly string[]
}

async function readPeople(database: Context["database"], { from, to }: Pick<Day, "from" | "to">) {
  const { rows } = await sql<{ userId: string; hasEqual: boolean; hasCounted: boolean }>`
    select user_id as "userId", bool_or(entries > 1) as "hasEqual", bool_or(most > 1) as "hasCounted"
    from (
      select user_id, count(*) as entries, max(reads) as most from restwell.access_log where at >= ${from} and at < ${to}
      group by ${SAME}) requests
    group by user_id`.execute(database)
  return rows
}

async function foldDay(database: Context["database"], day: Day): Promise<void> {
  for (let start = 0; start < day.people.length; start += BATCH)
    await database.transaction().execute(async (transaction) => {
      await sql`select set_config('restwell.folds_access_log', 'on', true)`.execute(transaction)
      await foldDayOf(transaction, day.people.slice(start, start + BATCH), day)
    })
}

const foldDayOf = (database: Context["database"], people: readonly string[], { from, to }: Pick<Day, "from" | "to">) =>
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

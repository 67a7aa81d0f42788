/** What a week leaves in the tables of all people: reads in the access log, counted reads, syncs, and open cycles that grow. */
import { type Context, foldAccessLog } from "@restwell/core"
import type { Pool } from "pg"
import { interruption } from "../measuring/interruption.ts"
import { RATES } from "./rates.ts"

const WEEK_DAYS = 7
/** Its last day is old enough to be folded. */
const ENDED_DAYS_AGO = 9
const TABLES = ["record", "connection", "person", "usage", "access_log"] as const
const READS_A_DAY = RATES.cold.perDay + RATES.hot.perDay
/** Syncs of a day that find something new: the night, the workout, and the open cycle four times. */
const CHANGES_A_DAY = 6

interface WeekDay {
  readonly writtenMs: number
  readonly vacuumMs: number
  readonly megabytes: ReadonlyMap<string, number>
  readonly logEntries: number
}

/** Lets all people live a week, and vacuums each day. Gives each day once it is over. */
export async function* simulateWeek(pool: Pool): AsyncIterable<WeekDay> {
  for (let day = 0; day < WEEK_DAYS; day += 1) {
    const writtenMs = await timed(() => liveOneDay(pool, ENDED_DAYS_AGO + WEEK_DAYS - day))
    const vacuumMs = await timed(() => pool.query("vacuum (analyze)"))
    yield { writtenMs, vacuumMs, megabytes: await tableSizes(pool), logEntries: await countEntries(pool) }
  }
}

/** Makes one entry of equal reads of the week, which is a week old. */
export async function foldWeek(
  pool: Pool,
  context: Pick<Context, "database">,
): Promise<{ readonly ms: number; readonly entries: number }> {
  const ms = await timed(() => foldAccessLog(context))
  return { ms, entries: await countEntries(pool) }
}

async function liveOneDay(pool: Pool, daysAgo: number): Promise<void> {
  await pool.query(
    `insert into restwell.access_log (user_id, at, reader, operation, types, start_date, end_date, record_count, outcome)
     select c.user_id, now() - make_interval(days => $1::integer) + n * interval '1 minute', 'api_key', 'health', '{sleep}',
       current_date - 7, current_date, 7, 'answered'
     from restwell.connection c, generate_series(1, $2::integer) n`,
    [daysAgo, READS_A_DAY],
  )
  for (let sync = 0; sync < RATES.refresh.perDay; sync += 1) {
    interruption.throwIfAborted()
    await pool.query("update restwell.connection set last_synced_at = now()")
    await pool.query("update restwell.usage set used = used + 1, by_day[1] = by_day[1] + 1")
    if (sync >= CHANGES_A_DAY) continue
    await pool.query("update restwell.person set data_version = data_version + 1")
    await pool.query(
      `update restwell.record r set raw = jsonb_set(r.raw, '{updated_at}', to_jsonb(now()::text))
       from restwell.connection c
       where r.user_id = c.user_id and r.kind = 'cycle' and r.date = (
         select max(n.date) from restwell.record n where n.user_id = c.user_id and n.kind = 'cycle')`,
    )
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function countEntries(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>("select count(*) as count from restwell.access_log")
  return Number(rows[0]?.count)
}

/** Megabytes of the tables with their indexes. */
export async function tableSizes(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ table: string; bytes: string }>(
    `select t as "table", pg_total_relation_size(('restwell.' || t)::regclass) as bytes from unnest($1::text[]) t`,
    [TABLES],
  )
  return new Map(rows.map(({ table, bytes }) => [table, Number(bytes) / 1e6]))
}

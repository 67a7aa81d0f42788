import type { Pool } from "pg"
import { batchCalls } from "../../base/batch.ts"
import type { Clock } from "../../base/calendar.ts"
import { monthOf, type PlanLimits } from "../../base/plans.ts"
import { readStatement, runStatement, SilentDatabase } from "../pool.ts"

/** One read to count, as the statement takes it. */
export interface CountedRead {
  /** SHA-256 of the API key, in hex. Without it, `user_id` names the person. */
  readonly key_hash?: string
  readonly user_id?: string
  /** Count only while the person's data have this version and offset. Left out for an answer that was just read. */
  readonly version?: string
  readonly utc_offset_minutes?: number | null
  /** The assistant that read. Left out for a read by key. */
  readonly client_id?: string
  readonly assistant?: string
  /** What the access log names: a path, a tool or a resource's address. */
  readonly operation: string
  /** The types of data that were read. */
  readonly types: readonly string[]
  readonly start_date?: string | null
  readonly end_date?: string | null
  readonly record_count?: number
}

/** A read's place in the month. */
interface ReadCount {
  readonly monthlyLimit: number
  /** The month's count with this read, or without it where the month had no room. */
  readonly used: number
  readonly isGranted: boolean
}

/**
 * Counts a read. Null where the key is unknown, the person is gone, the version is another one, or the person's row of the
 * month is missing: a new snapshot says which.
 */
export type CountRead = (read: CountedRead) => Promise<ReadCount | null>

/** Reads in one call: each adds little to it. */
const LARGEST_BATCH = 512

const COUNT_READS = readStatement("count-reads")
const READ_CLOCK = "select extract(epoch from clock_timestamp())::double precision * 1000 as ms"
const OPEN_USAGE = {
  name: "open-usage",
  text: `insert into restwell.usage (user_id, month, used, by_day)
    select user_id, $2::date, 0, array_fill(0, array[31]) from restwell.person where user_id = $1 for key share
    on conflict do nothing`,
}

/** Equal reads: the month's count before them, and how many of them the month had room for. */
interface Row {
  readonly position: number
  readonly monthlyLimit: number
  readonly usedBefore: number
  readonly granted: number
  /** The deadline had passed, and nothing was counted. */
  readonly isLate: boolean
  /** The clock of the database. */
  readonly databaseMs: number
}

interface CountContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly plans: PlanLimits
}

/** Counts the reads of all callers: one call at a time, and equal reads of a call as one row. */
export function createReadCounter(context: CountContext): CountRead {
  const deadlines = createDeadlines(context.pool)
  return batchCalls((reads: readonly CountedRead[]) => countBatch(context, deadlines, reads), LARGEST_BATCH)
}

/** A slower answer says too little about the time at which it was made. */
const LONGEST_SAMPLE_MS = 1_000

interface Deadlines {
  /** When a statement that is sent now must have begun, by the clock of the database. Null without a limit. */
  next(): Promise<Date | null>
  /** Learns the clock of the database from an answer. @param sentMs when its statement was sent, of `performance.now()` */
  learn(databaseMs: number, sentMs: number): void
  forget(): void
}

/**
 * Deadlines by the clock of the database, which may differ from ours by any time. Its answers carry it: an answer was made before it arrived, so
 * the database's clock is at least as far as the answer says. A deadline is therefore never later than the pool's own limit for a statement.
 */
function createDeadlines(pool: Pool): Deadlines {
  const { statement_timeout: longestMs } = pool.options
  let aheadMs: number | undefined
  const learn: Deadlines["learn"] = (databaseMs, sentMs) => {
    const arrivedMs = performance.now()
    if (aheadMs === undefined || arrivedMs - sentMs < LONGEST_SAMPLE_MS) aheadMs = databaseMs - arrivedMs
  }
  return {
    learn,
    async next() {
      if (typeof longestMs !== "number") return null
      if (aheadMs === undefined) {
        const sentMs = performance.now()
        const { rows } = await pool.query<{ ms: number }>(READ_CLOCK)
        for (const { ms } of rows) learn(ms, sentMs)
      }
      return new Date(performance.now() + longestMs + (aheadMs ?? 0))
    },
    forget() {
      aheadMs = undefined
    },
  }
}

async function countBatch({ pool, clock, plans }: CountContext, deadlines: Deadlines, reads: readonly CountedRead[]) {
  const now = clock.now()
  // Reads of one cached response share one object.
  const groups = [...Map.groupBy(reads.keys(), (index) => reads[index]).values()]
  const requested = groups.map((group) => ({ ...reads[group[0] ?? 0], times: group.length }))
  const values = [JSON.stringify(requested), now, monthOf(now), now.getUTCDate(), JSON.stringify(plans)]
  const deadline = await deadlines.next()
  const sentMs = performance.now()
  const { rows } = await runStatement<Row>(pool, COUNT_READS, [...values, deadline])
  if (rows.some(({ isLate }) => isLate)) {
    // Either the database stood still, or its clock was set.
    deadlines.forget()
    throw new SilentDatabase("the statement began after its deadline")
  }
  const [first] = rows
  if (first) deadlines.learn(first.databaseMs, sentMs)
  const counts = reads.map((): ReadCount | null => null)
  for (const row of rows)
    for (const [nth, index] of (groups[row.position - 1] ?? []).entries()) counts[index] = countOf(row, nth)
  return counts
}

/** The count of one of several equal reads. */
function countOf({ monthlyLimit, usedBefore, granted }: Row, index: number): ReadCount {
  const isGranted = index < granted
  return { monthlyLimit, used: usedBefore + (isGranted ? index + 1 : granted), isGranted }
}

/** Adds a person's row of the month, which a first read of the month lacks. */
export async function openUsage({ pool, clock }: CountContext, userId: string): Promise<void> {
  await runStatement(pool, OPEN_USAGE, [userId, monthOf(clock.now())])
}

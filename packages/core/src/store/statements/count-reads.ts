import type { Pool } from "pg"
import { batchCalls } from "../../base/batch.ts"
import type { Clock } from "../../base/calendar.ts"
import { monthOf, type PlanLimits } from "../../base/plans.ts"
import { readStatement, runStatement } from "../pool.ts"

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
}

interface CountContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly plans: PlanLimits
}

/**
 * Counts the reads of all callers: one call at a time, and equal reads of a call as one row. A database that stood still may count a read
 * whose answer nobody waited for.
 */
export function createReadCounter(context: CountContext): CountRead {
  return batchCalls((reads: readonly CountedRead[]) => countBatch(context, reads), LARGEST_BATCH)
}

async function countBatch({ pool, clock, plans }: CountContext, reads: readonly CountedRead[]) {
  const now = clock.now()
  // Reads of one cached response share one object.
  const groups = [...Map.groupBy(reads.keys(), (index) => reads[index]).values()]
  const requested = groups.map((group) => ({ ...reads[group[0] ?? 0], times: group.length }))
  const values = [JSON.stringify(requested), now, monthOf(now), now.getUTCDate(), JSON.stringify(plans)]
  const { rows } = await runStatement<Row>(pool, COUNT_READS, values)
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

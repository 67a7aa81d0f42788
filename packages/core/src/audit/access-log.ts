import type { AccessLogEntry } from "@restwell/client"
import { sql } from "kysely"
import { microBatch } from "../batch/micro-batch.ts"
import type { Context } from "../context/context.ts"
import { ASKED_FOR, type LogPage, pageOf } from "./log-page.ts"

/** One reading. No figure is in it. */
interface Access {
  /** The tool, the address of the resource, or the path. */
  readonly operation: string
  /** The types of data that were read. */
  readonly types: readonly string[]
  /** The dates that were read, inclusive; null where none were asked for. */
  readonly startDate: string | null
  readonly endDate: string | null
  /** How many records the answer was made of, 1 for a profile; null for a refusal, and for what was read before this was counted. */
  readonly recordCount: number | null
  /** `answered`, or the code of the error. */
  readonly outcome: string
}

/** One reading by an assistant. */
export interface AssistantReading extends Access {
  readonly clientId: string
  readonly assistant: string
}

export interface LoggedAccess extends Access {
  readonly id: string
  readonly at: Date
  /** How many equal reads of that moment the entry is of. */
  readonly reads: number
  readonly reader: AccessLogEntry["reader"]
  /** The assistant's, else null. */
  readonly clientId: string | null
  readonly assistant: string | null
}

/** Writes down that an assistant read, or was refused; done once it is kept. */
export type LogAccess = (userId: string, entry: AssistantReading) => Promise<void>

/**
 * The access log's way in for assistants; reads by key are written to it by what counts them, `count_held` and `read_whole`. It is only ever
 * added to. Entries of the same moment are kept in one statement.
 */
export function createAccessLog(context: Pick<Context, "database" | "clock">): LogAccess {
  const log = microBatch(async (rows: readonly LogRow[]) => {
    await writeRows(context, rows)
    return rows.map(() => true)
  })
  return async (userId, entry) => {
    await log({
      user_id: userId,
      client_id: entry.clientId,
      assistant: entry.assistant,
      operation: entry.operation,
      types: entry.types,
      start_date: entry.startDate,
      end_date: entry.endDate,
      record_count: entry.recordCount,
      outcome: entry.outcome,
    })
  }
}

/** An entry as the statement takes it. */
interface LogRow {
  readonly user_id: string
  readonly client_id: string
  readonly assistant: string
  readonly operation: string
  readonly types: readonly string[]
  readonly start_date: string | null
  readonly end_date: string | null
  readonly record_count: number | null
  readonly outcome: string
}

/**
 * An account that is just being deleted has no log any more; the others' entries stand. When an assistant last read is noted by one of all
 * replicas that note it at that moment, in one order, so that none waits for another.
 */
async function writeRows(
  { database, clock }: Pick<Context, "database" | "clock">,
  rows: readonly LogRow[],
): Promise<void> {
  await sql`
    with logged as (
      insert into restwell.access_log
        (user_id, at, reader, client_id, assistant, operation, types, start_date, end_date, record_count, outcome)
      select e.user_id, ${clock.now()}, 'assistant', e.client_id, e.assistant, e.operation, e.types, e.start_date, e.end_date,
        e.record_count, e.outcome
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(
        user_id text, client_id text, assistant text, operation text, types text[], start_date date, end_date date,
        record_count integer, outcome text)
      join restwell."user" u on u.id = e.user_id
      order by e.user_id
      for key share of u
      returning user_id, client_id, at),
    free as (
      select a.user_id, a.client_id from restwell.assistant a
      where (a.user_id, a.client_id) in (select user_id, client_id from logged)
      order by a.user_id, a.client_id
      for no key update skip locked)
    update restwell.assistant a set last_read_at = ${clock.now()}
    from free where a.user_id = free.user_id and a.client_id = free.client_id
  `.execute(database)
}

/** The newest entries, or those before one. @param before an entry's id */
export async function readAccessLog(
  { database }: Pick<Context, "database">,
  userId: string,
  before?: string,
): Promise<LogPage<LoggedAccess>> {
  const rows = await database
    .selectFrom("access_log")
    .selectAll()
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(ASKED_FOR)
    .execute()
  return pageOf(
    rows.map((row) => ({
      id: row.id,
      at: row.at,
      reads: row.reads,
      reader: row.reader,
      clientId: row.client_id,
      assistant: row.assistant,
      operation: row.operation,
      types: row.types,
      startDate: row.start_date,
      endDate: row.end_date,
      recordCount: row.record_count,
      outcome: row.outcome,
    })),
  )
}

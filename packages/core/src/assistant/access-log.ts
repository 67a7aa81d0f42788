import { sql } from "kysely"
import type { Context } from "../context.ts"

/** One reading by an assistant. No figure is in it. */
export interface AccessLogEntry {
  readonly clientId: string
  readonly assistant: string
  /** The tool, or the address of the resource. */
  readonly operation: string
  /** The types of data that were read. */
  readonly types: readonly string[]
  /** The dates that were read, inclusive; null where none were asked for. */
  readonly startDate: string | null
  readonly endDate: string | null
  /** `answered`, or the code of the error. */
  readonly outcome: string
}

export interface LoggedAccess extends AccessLogEntry {
  readonly id: string
  readonly at: Date
}

/** Writes down that an assistant read, or was refused. Nothing of the log is ever changed; it goes with the account. */
export async function logAccess(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { clientId, assistant, operation, types, startDate, endDate, outcome }: AccessLogEntry,
): Promise<void> {
  await sql`
    with logged as (
      insert into restwell.access_log (user_id, at, client_id, assistant, operation, types, start_date, end_date, outcome)
      values (${userId}, ${clock.now()}, ${clientId}, ${assistant}, ${operation}, ${[...types]}::text[],
              ${startDate}::date, ${endDate}::date, ${outcome})
      returning user_id, client_id, at)
    update restwell.assistant a set last_read_at = l.at from logged l
    where a.user_id = l.user_id and a.client_id = l.client_id
  `.execute(database)
}

const MOST_ENTRIES = 100

/** The newest entries, or those before one. @param before an entry's id */
export async function readAccessLog(
  { database }: Pick<Context, "database">,
  userId: string,
  before?: string,
): Promise<{ readonly entries: LoggedAccess[]; readonly next: string | null }> {
  const rows = await database
    .selectFrom("access_log")
    .selectAll()
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(MOST_ENTRIES + 1)
    .execute()
  const entries = rows.slice(0, MOST_ENTRIES).map((row) => ({
    id: row.id,
    at: row.at,
    clientId: row.client_id,
    assistant: row.assistant,
    operation: row.operation,
    types: row.types,
    startDate: row.start_date,
    endDate: row.end_date,
    outcome: row.outcome,
  }))
  return { entries, next: rows.length > MOST_ENTRIES ? (entries.at(-1)?.id ?? null) : null }
}

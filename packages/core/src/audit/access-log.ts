import { sql } from "kysely"
import { batchCalls } from "../batch/batch-calls.ts"
import type { Context } from "../context/context.ts"
import { PAGE_LIMIT, pageOf } from "./log-page.ts"

/** One read by an assistant. It contains no measurement. */
export interface AssistantReading {
  readonly clientId: string
  readonly assistant: string
  /** The tool, the resource's address, or the path. */
  readonly operation: string
  /** The types of data that were read. */
  readonly types: readonly string[]
  /** The dates that were read, inclusive. Null if the request had none. */
  readonly startDate: string | null
  readonly endDate: string | null
  /** Number of records in the answer, 1 for a profile. Null for a refusal. */
  readonly recordCount: number | null
  /** `answered`, or the error's code. */
  readonly outcome: string
}

/** Logs an assistant's read or refused read. Resolves once the entry is stored. */
export type LogAccess = (userId: string, entry: AssistantReading) => Promise<void>

/** Logs reads by assistants, all entries of one moment in one statement. Reads by API key are logged where they are counted. */
export function createAccessLog(context: Pick<Context, "database" | "clock">): LogAccess {
  const log = batchCalls(async (entries: readonly (AssistantReading & { readonly userId: string })[]) => {
    await insertEntries(context, entries)
    return entries.map(() => true)
  })
  return async (userId, entry) => {
    await log({ userId, ...entry })
  }
}

/**
 * Skips the entries of accounts that are being deleted. Rows of assistants are locked in one order, and rows that another replica
 * has locked are skipped, so that replicas never wait for each other.
 */
async function insertEntries(
  { database, clock }: Pick<Context, "database" | "clock">,
  entries: readonly (AssistantReading & { readonly userId: string })[],
): Promise<void> {
  await sql`
    with logged as (
      insert into restwell.access_log
        (user_id, at, reader, client_id, assistant, operation, types, start_date, end_date, record_count, outcome)
      select "userId", ${clock.now()}, 'assistant', "clientId", assistant, operation, types, "startDate", "endDate",
        "recordCount", outcome
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(
        "userId" text, "clientId" text, assistant text, operation text, types text[], "startDate" date, "endDate" date,
        "recordCount" integer, outcome text)
      join restwell."user" u on u.id = e."userId"
      order by "userId"
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

/** The newest entries, or those before an entry. `reads` counts equal reads at one moment. @param before the entry's id */
export async function readAccessLog({ database }: Pick<Context, "database">, userId: string, before?: string) {
  const entries = await database
    .selectFrom("access_log")
    .select(["id", "at", "reads", "reader", "client_id as clientId", "assistant", "operation", "types", "outcome"])
    .select(["start_date as startDate", "end_date as endDate", "record_count as recordCount"])
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(PAGE_LIMIT)
    .execute()
  return pageOf(entries)
}

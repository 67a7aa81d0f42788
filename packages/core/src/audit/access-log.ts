import type { Pool } from "pg"
import { batchCalls } from "../batch/batch-calls.ts"
import type { Context } from "../context/context.ts"
import { runStatement } from "../store/run-statement.ts"
import { readStatement } from "../store/statement.ts"
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

const LOG_ASSISTANT_READS = readStatement("log-assistant-reads")

/**
 * Logs reads by assistants, all entries of one moment in one statement. Reads by API key are logged where they are counted.
 * @param pool connections that keep the statement prepared
 */
export function createAccessLog({ clock, pool }: Pick<Context, "clock"> & { readonly pool: Pool }): LogAccess {
  const log = batchCalls(async (entries: readonly (AssistantReading & { readonly userId: string })[]) => {
    await runStatement(pool, LOG_ASSISTANT_READS, [JSON.stringify(entries), clock.now()])
    return entries.map(() => true)
  })
  return async (userId, entry) => {
    await log({ userId, ...entry })
  }
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

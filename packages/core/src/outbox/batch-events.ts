// The one event of many records: of a history, of an archive, and of data that were deleted.
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"
import { hasWebhooks, queueEvents } from "./outbox.ts"

/** What a history or an archive brought. */
interface Batch {
  readonly mode: "backfill" | "import"
  /** The sources it has data of. */
  readonly sources: readonly string[]
}

/** Queues the one event of a whole history or archive, with the records that its sources have now. */
export async function queueBatch(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  userId: string,
  { mode, sources }: Batch,
): Promise<void> {
  if (!(await hasWebhooks(transaction, userId))) return
  const { rows } = await sql<{ records: number; from_date: string | null; to_date: string | null }>`
    select count(*)::integer as records, min(date)::text as from_date, max(date)::text as to_date from restwell.record
    where user_id = ${userId} and provider = any(${[...sources]}::text[])
  `.execute(transaction)
  const source = sources.length === 1 ? (sources[0] ?? null) : null
  const data = { mode, source, kind: null, id: null, date: null, sources, ...rows[0] }
  await queueEvents(transaction, context, userId, [{ type: "batch.completed", data }])
}

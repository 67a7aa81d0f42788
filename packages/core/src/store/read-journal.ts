import { type Kysely, sql } from "kysely"
import type { Database } from "./database.ts"

/** One answer of the journal. */
export interface JournalRow {
  readonly provider: string
  readonly cycle_started_at: Date
  readonly question: string
  /** The vendor's id. Empty for the answers of WHOOP's archive. */
  readonly provider_id: string
  readonly utc_offset_minutes: number
  readonly factor: string
  /** Null for a question without an answer. */
  readonly answer: boolean | null
  /** Local date of waking, YYYY-MM-DD. */
  readonly date: string
}

/** A page of all answers, in the order of their keys, for the export. */
export async function readJournalPage(
  database: Kysely<Database>,
  userId: string,
  limit: number,
  after?: JournalRow,
): Promise<JournalRow[]> {
  const isLater =
    after &&
    sql`and (j.provider, j.started_at, j.question, j.provider_id)
      > (${after.provider}, ${after.cycle_started_at}::timestamptz, ${after.question}, ${after.provider_id})`
  const { rows } = await sql<JournalRow>`
    select j.provider, j.started_at as cycle_started_at, j.question, j.provider_id, j.utc_offset_minutes, j.factor, j.answer,
      j.date::text as date
    from restwell.journal j where j.user_id = ${userId} ${isLater ?? sql``}
    order by j.provider, j.started_at, j.question, j.provider_id limit ${limit}
  `.execute(database)
  return rows
}

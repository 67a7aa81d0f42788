import type { JournalEntry, JournalWindow } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"

/** All entries that a vendor has of a window. */
export interface FetchedJournal extends JournalWindow {
  readonly entries: readonly JournalEntry[]
}

/** Replaces a window of a vendor's journal as one. An entry that moved into the window leaves its former date. */
export async function replaceJournal(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { from, to, entries }: FetchedJournal,
): Promise<void> {
  const rows = entries.map(({ providerId, date, at, utcOffsetMinutes, question, factor, answer }) => ({
    ...{ provider_id: providerId, date, at, utc_offset_minutes: utcOffsetMinutes, question, factor, answer },
  }))
  const ids = rows.map(({ provider_id }) => provider_id)
  await sql`
    delete from restwell.journal_entry
    where user_id = ${userId} and provider = ${provider}
      and (date between ${from}::date and ${to}::date or provider_id = any (${ids}))
  `.execute(transaction)
  if (rows.length === 0) return
  await sql`
    insert into restwell.journal_entry (user_id, provider, provider_id, date, at, utc_offset_minutes, question, factor, answer)
    select ${userId}, ${provider}, e.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (
      provider_id text, date date, at timestamptz, utc_offset_minutes integer, question text, factor text, answer boolean)
    on conflict do nothing
  `.execute(transaction)
}

import type { JournalDay } from "@restwell/client"
import type { JournalEntry, JournalWindow } from "@restwell/providers"
import { type Kysely, sql, type Transaction } from "kysely"
import type { DateRange } from "../../base/calendar.ts"
import type { ConnectionId } from "../connection-tables.ts"
import type { Database } from "../database.ts"

/** One answer of the journal as answers need it. The provider of the person's own is `OWN_SOURCE`. */
export interface JournalFact {
  readonly provider: string
  readonly date: string
  readonly factor: string
  readonly question: string
  readonly answer: boolean | null
  /** A number that was entered with it. Null without one. */
  readonly value: number | null
  /** False for a vendor's answer to what the person answered too. */
  readonly isChosen: boolean
}

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

/** A page of all answers of vendors, in the order of their keys, for the export. */
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
    from restwell.vendor_journal j where j.user_id = ${userId} ${isLater ?? sql``}
    order by j.provider, j.started_at, j.question, j.provider_id limit ${limit}
  `.execute(database)
  return rows
}

/** An answer that the person entered. */
export interface OwnAnswerRow {
  readonly date: string
  readonly factor: string
  readonly title: string
  readonly answer: boolean
  readonly value: number | null
}

/** A page of the person's own answers, for the export. */
export async function readOwnAnswerPage(
  database: Kysely<Database>,
  userId: string,
  limit: number,
  after?: OwnAnswerRow,
): Promise<OwnAnswerRow[]> {
  const isLater = after && sql`and (date, factor) > (${after.date}::date, ${after.factor})`
  const { rows } = await sql<OwnAnswerRow>`
    select date::text as date, factor, title, answer, value from restwell.own_journal
    where user_id = ${userId} ${isLater ?? sql``} order by own_journal.date, factor limit ${limit}`.execute(database)
  return rows
}

/** The person's note for a date. */
export interface OwnNoteRow {
  readonly date: string
  readonly note: string
}

/** A page of the person's notes, for the export. */
export async function readNotePage(
  database: Kysely<Database>,
  userId: string,
  limit: number,
  after?: OwnNoteRow,
): Promise<OwnNoteRow[]> {
  const isLater = after && sql`and date > ${after.date}::date`
  const { rows } = await sql<OwnNoteRow>`
    select date::text as date, note from restwell.own_notes
    where user_id = ${userId} ${isLater ?? sql``} order by own_notes.date limit ${limit}`.execute(database)
  return rows
}

/** The factors that were answered on each date, of all sources that may answer and of the person. Dates without an answer are left out. */
export async function readAnsweredDays(
  database: Kysely<Database>,
  userId: string,
  { from, to }: DateRange,
): Promise<JournalDay[]> {
  const { rows } = await sql<JournalDay>`
    select j.date::text as date,
      coalesce(array_agg(distinct j.factor order by j.factor) filter (where j.answer), '{}') as yes,
      coalesce(array_agg(distinct j.factor order by j.factor) filter (where not j.answer), '{}') as no
    from restwell.journal j
    left join restwell.connection c on c.user_id = j.user_id and c.provider = j.provider and c.status <> 'disconnected'
    where j.user_id = ${userId} and j.date between ${from}::date and ${to}::date and j.answer is not null
      and j.is_chosen and (c.provider is not null or j.provider = 'restwell')
    group by j.date order by j.date
  `.execute(database)
  return rows
}

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

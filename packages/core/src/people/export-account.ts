import { addDays } from "@restwell/client/calendar-dates"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { accountGone } from "../context/errors.ts"
import { csvHeader, csvRows, fieldsOf } from "../read/columns.ts"
import { presentChoice, presentRecord } from "../read/present.ts"
import { type Choice, chooseSources } from "../sources/choose.ts"
import { readSourcePreferences } from "../sources/source-settings.ts"
import { readPages } from "../store/database.ts"
import {
  type JournalRow,
  type OwnAnswerRow,
  type OwnNoteRow,
  readJournalPage,
  readNotePage,
  readOwnAnswerPage,
} from "../store/statements/journal.ts"
import { pushedRowPages } from "../store/statements/pushed-days.ts"
import { readStoredSources, readTrendRecords, type TrendRecord } from "../store/statements/read-trend-rows.ts"
import { exportSeriesCsv, PIECE_ROWS, seriesPages } from "./export-series.ts"
import { readNotifications } from "./notification-settings.ts"

export const PAGE_SIZE = 500
/** Records that are read at once: each has the vendor's payload. */
const PAGE_RECORDS = 100
/** Characters. Others are answered between two pieces. */
const PIECE_LENGTH = 65_536

/**
 * Everything stored about a person, as pieces of one JSON document: account, connections, usage, profiles, assistants, preferred sources,
 * notifications, webhooks and what was sent to them, both logs, the journals and notes, emails that were sent or wait, all records with the
 * vendor's payload, values within the day, and rows as phones pushed them. Keys, tokens and passwords are left out.
 */
export async function* exportAccount(
  { clock, database }: Pick<Context, "clock" | "database">,
  userId: string,
): AsyncIterable<string> {
  const notifications = await readNotifications({ database }, userId)
  const head = { exported_at: clock.now(), ...(await readHead(database, userId)), notifications }
  yield JSON.stringify(head).slice(0, -1)
  yield* list("access_log", accessPages(database, userId))
  yield* list("security_log", securityPages(database, userId))
  yield* list("deliveries", deliveryPages(database, userId))
  yield* list("journal", journalPages(database, userId))
  yield* list("own_journal", ownJournalPages(database, userId))
  yield* list("journal_notes", notePages(database, userId))
  yield* list("records", recordPages(database, userId))
  yield* list("series", seriesPages(database, userId))
  yield* list("pushed_rows", pushedRowPages(database, userId))
  yield "}\n"
}

type Store = Context["database"]

async function* list(name: string, pages: AsyncIterable<readonly object[]>): AsyncIterable<string> {
  let piece = `,"${name}":[`
  let separator = ""
  for await (const page of pages)
    for (const row of page) {
      piece += separator + JSON.stringify(row)
      separator = ",\n"
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ""
    }
  yield `${piece}]`
}

async function readHead(database: Store, userId: string) {
  const [user, secrets, usage, connections, profiles, assistants, sourceOrder, sourceChoices, mails] =
    await Promise.all([
      database
        .selectFrom("user")
        .innerJoin("person", "person.user_id", "user.id")
        .select(["user.id", "name", "email", "createdAt as created_at", "plan", "time_zone", "reconnect_mail"])
        .select(["units", "clock", "first_weekday", "days_off", "trend_cards", "hidden_cards", "no_main_device"])
        .where("user.id", "=", userId)
        .executeTakeFirstOrThrow(accountGone),
      readSecrets(database, userId),
      database
        .selectFrom("usage")
        .select(["month", "used", "by_day"])
        .where("user_id", "=", userId)
        .orderBy("month")
        .execute(),
      database
        .selectFrom("connection")
        .select(["provider", "status", "status_reason", "connected_at", "last_synced_at", "fetched_back_to"])
        .select("history_complete")
        .where("user_id", "=", userId)
        .orderBy("connected_at")
        .execute(),
      database
        .selectFrom("profile")
        .select(["provider", "data", "raw", "fetched_at"])
        .where("user_id", "=", userId)
        .execute(),
      database
        .selectFrom("assistant")
        .select(["client_id", "name", "verified_host", "redirect_host", "scopes", "declined", "days", "connected_at"])
        .select("last_read_at")
        .where("user_id", "=", userId)
        .orderBy("connected_at")
        .execute(),
      database
        .selectFrom("source_order")
        .select(["type", "providers"])
        .where("user_id", "=", userId)
        .orderBy("type")
        .execute(),
      database
        .selectFrom("source_choice")
        .select(["type", "date", "provider"])
        .where("user_id", "=", userId)
        .orderBy("date")
        .orderBy("type")
        .execute(),
      database
        .selectFrom("mail")
        .select(["kind", "provider", "created_at", "sent_at"])
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .execute(),
    ])
  const sources = { source_order: sourceOrder, source_choices: sourceChoices }
  return {
    user,
    ...secrets,
    usage,
    connections,
    profiles,
    assistants,
    mails,
    receivers: await readReceivers(database, userId),
    ...sources,
  }
}

/** What is stored of keys, shares and tokens. */
async function readSecrets(database: Store, userId: string) {
  const [apiKey, keys, shares, pushTokens] = await Promise.all([
    database
      .selectFrom("api_key")
      .select(["prefix", "created_at", "last_used_at"])
      .where("user_id", "=", userId)
      .where("name", "is", null)
      .executeTakeFirst(),
    readKeys(database, userId),
    readShares(database, userId),
    readPushTokens(database, userId),
  ])
  return { api_key: apiKey ?? null, keys, shares, push_tokens: pushTokens }
}

const readKeys = (database: Store, userId: string) =>
  database
    .selectFrom("api_key")
    .select(["name", "prefix", "types", "days", "expires_at", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .where("name", "is not", null)
    .orderBy("created_at")
    .execute()

const readPushTokens = (database: Store, userId: string) =>
  database
    .selectFrom("ingest_token")
    .select(["name", "prefix", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute()

const readShares = (database: Store, userId: string) =>
  database
    .selectFrom("share")
    .select(["name", "prefix", "types", "days", "expires_at", "created_at", "last_viewed_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute()

const readReceivers = (database: Store, userId: string) =>
  database
    .selectFrom("receiver")
    .select(["id", "kind", "url", "events", "include_figures", "created_at", "disabled_at", "disabled_reason"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute()

const deliveryPages = (database: Store, userId: string) =>
  readPages(PAGE_SIZE, (after: { readonly number: string } = { number: "0" }) =>
    database
      .selectFrom("delivery")
      .select(["number", "receiver_id", "id", "type", "data", "created_at", "status", "attempts", "last_attempt_at"])
      .select(["answer_status", "answer"])
      .where("user_id", "=", userId)
      .where("number", ">", after.number)
      .orderBy("number")
      .limit(PAGE_SIZE)
      .execute(),
  )

interface LogKey {
  readonly id: string
}

const accessPages = (database: Store, userId: string) =>
  readPages(PAGE_SIZE, (after: LogKey = { id: "0" }) =>
    database
      .selectFrom("access_log")
      .select([
        "id",
        "at",
        "reader",
        "key_name",
        "client_id",
        "assistant",
        "operation",
        "types",
        "start_date",
        "end_date",
      ])
      .select(["record_count", "reads", "outcome"])
      .where("user_id", "=", userId)
      .where("id", ">", after.id)
      .orderBy("id")
      .limit(PAGE_SIZE)
      .execute(),
  )

const securityPages = (database: Store, userId: string) =>
  readPages(PAGE_SIZE, (after: LogKey = { id: "0" }) =>
    database
      .selectFrom("security_event")
      .select(["id", "at", "type", "detail", "network"])
      .where("user_id", "=", userId)
      .where("id", ">", after.id)
      .orderBy("id")
      .limit(PAGE_SIZE)
      .execute(),
  )

const journalPages = (database: Store, userId: string) =>
  readPages(PAGE_SIZE, (after?: JournalRow) => readJournalPage(database, userId, PAGE_SIZE, after))

const ownJournalPages = (database: Store, userId: string) =>
  readPages(PAGE_SIZE, (after?: OwnAnswerRow) => readOwnAnswerPage(database, userId, PAGE_SIZE, after))

const notePages = (database: Store, userId: string) =>
  readPages(PAGE_SIZE, (after?: OwnNoteRow) => readNotePage(database, userId, PAGE_SIZE, after))

const FIRST_KEY = { provider: "", kind: "", provider_id: "" }

/** Decides between a record and that of another archive, also where the export is imported. */
const precedence = sql<number>`coalesce((
  select max(a.precedence) from restwell.import_record a
  join restwell.import i on i.user_id = a.user_id and i.id = a.import_id and i.status = 'done'
  where a.user_id = record.user_id and a.provider = record.provider and a.started_at = record.started_at
    and a.kind = record.kind and a.provider_id = record.provider_id), 0)`

/** The phases of a night are stored apart from the others of its fields. */
async function* recordPages(database: Store, userId: string) {
  for await (const page of storedPages(database, userId))
    yield page.map(({ detail, course, ...row }) => ({ ...row, detail: { ...detail, ...(course && { course }) } }))
}

const storedPages = (database: Store, userId: string) =>
  readPages(PAGE_RECORDS, (after: Readonly<typeof FIRST_KEY> = FIRST_KEY) =>
    database
      .selectFrom("record")
      .select([
        "provider",
        "kind",
        "provider_id",
        "date",
        "started_at",
        "ended_at",
        "utc_offset_minutes",
        "score_state",
      ])
      .select(["vendor_updated_at", "sleep_provider_id", "cycle_provider_id", "skin_temp_deviation"])
      .select(["detail", "course", "raw"])
      .select(sql<boolean>`from_archive and not was_direct`.as("from_archive"))
      .select(precedence.as("precedence"))
      .where("user_id", "=", userId)
      .where(sql<boolean>`(provider, kind, provider_id) > (${after.provider}, ${after.kind}, ${after.provider_id})`)
      .orderBy("provider")
      .orderBy("kind")
      .orderBy("provider_id")
      .limit(PAGE_RECORDS)
      .execute(),
  )

/** Types that can be exported as a table. */
export const EXPORTED_TYPES = ["sleep", "recovery", "workout", "cycle", "series"] as const
export type ExportedType = (typeof EXPORTED_TYPES)[number]
type RecordType = Exclude<ExportedType, "series">

/** Dates that are read at once. */
const PAGE_DATES = 90

/** All values within the day, or all records of one type, as CSV (RFC 4180) in pieces. */
export const exportCsv = (
  context: Pick<Context, "database">,
  userId: string,
  type: ExportedType,
): AsyncIterable<string> =>
  type === "series" ? exportSeriesCsv(context.database, userId) : exportRecordsCsv(context, userId, type)

/**
 * Newest first. Columns are the fields of the REST records, nested ones joined with `_`, and the record's UTC offset. Records of every
 * source are there. A record that does not answer has no `chosen_because`.
 */
async function* exportRecordsCsv(
  context: Pick<Context, "database">,
  userId: string,
  type: RecordType,
): AsyncIterable<string> {
  const columns = [...fieldsOf(type), { name: "utc_offset_minutes" }]
  yield csvHeader(columns)
  for await (const choices of choicePages(context, userId, type))
    for (let start = 0; start < choices.length; start += PIECE_ROWS)
      yield csvRows(
        columns,
        choices
          .slice(start, start + PIECE_ROWS)
          .map((choice) => ({ ...present(choice), utc_offset_minutes: choice.fact.utcOffsetMinutes })),
      )
}

/** All records of a type with the choice among them, newest first. Those of disconnected sources are never chosen. */
async function* choicePages(
  context: Pick<Context, "database">,
  userId: string,
  type: RecordType,
): AsyncIterable<readonly Choice<TrendRecord>[]> {
  const [sources, preferences] = await Promise.all([
    readStoredSources(context, userId),
    readSourcePreferences(context, userId),
  ])
  const isCandidate = new Set(sources.flatMap(({ provider, status }) => (status === "disconnected" ? [] : [provider])))
  const providers = sources.map(({ provider }) => provider)
  const oldest = sources.flatMap(({ oldestDate }) => oldestDate ?? []).toSorted()[0]
  const newest = sources
    .flatMap(({ newestDate }) => newestDate ?? [])
    .toSorted()
    .at(-1)
  if (oldest === undefined || newest === undefined) return
  for (let end = newest; end >= oldest; end = addDays(end, -PAGE_DATES)) {
    const [from, to] = [addDays(end, 1 - PAGE_DATES), end]
    const facts = await readTrendRecords(context, { userId, providers, kinds: [type], from, to })
    const candidates = chooseSources(
      facts.filter(({ provider }) => isCandidate.has(provider)),
      preferences,
    )
    const reasons = new Map(candidates.map(({ fact, because }) => [fact, because]))
    yield facts
      .filter(({ date }) => date >= from && date <= to)
      .map((fact) => ({ fact, because: reasons.get(fact) ?? null }))
      .toReversed()
  }
}

const present = presentChoice(presentRecord, { marksChosen: false })

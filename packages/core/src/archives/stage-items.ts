import { MOST_SOURCE_CHOICES, type PreferencesChange, SOURCE_TYPES, SUM_TYPES } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { type LeftOut, offsetInZone, plausibleSamples, type SampleSet } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { latestPossible } from "../base/record-dates.ts"
import { type Database, personTransaction } from "../store/database.ts"
import type { SourceChoice } from "../store/record-tables.ts"
import { recordColumns, recordDefinitions, replaceVersion } from "../store/statements/record-columns.ts"
import { mergeSamples } from "../store/statements/write-series.ts"
import { type ClaimedImport, holdClaim, type ImportContext } from "./claim-import.ts"
import type {
  SourceOrder,
  StagedAnswer,
  StagedItem,
  StagedPreferences,
  StagedProfile,
  StagedRecord,
  StagedSeries,
} from "./staged-item.ts"

/** Rows in one transaction. */
const CHUNK_ROWS = 250
/** A chunk is in memory. This number of samples takes the memory of a row. */
const SAMPLES_PER_ROW = 400
/** Reasons that a report lists. More of them help nobody, and a broken file could have millions. */
const MOST_REASONS = 100
const FURTHER = "further rows that cannot be read"
/** A run shows at least this often that it lives, while it reads what gives no rows. */
const SILENT_MS = 1_000
const PRIVATE_TOPIC = "private_topic"
/** Preferences of sources are kept in memory. Nobody can set more of them. */
const TOO_MANY_ORDERS = `order of sources: more than ${SOURCE_TYPES.length}, the others left out`
const TOO_MANY_CHOICES = `choices of sources: more than ${MOST_SOURCE_CHOICES}, the others left out`
const IN_FUTURE = "more than a day in the future"

/** The rows that were read and ignored, and the preferences. */
export interface StagedCounts {
  /** Records and answers of the file, doubled ones included. */
  readonly rows: number
  readonly ignored: ReadonlyMap<string, number>
  /** What the report says beside its counts. */
  readonly notes: readonly string[]
  /** What the person of an export prefers. It is little. */
  readonly preferences: StagedPreferences
}

interface Staging {
  readonly items: AsyncIterable<StagedItem>
  /** Fraction of the file that was read. */
  readonly progress: () => number
  /** Aborts between two chunks. */
  readonly signal: AbortSignal
  /** Of the person, an IANA name. Counts without an offset belong to its dates. */
  readonly timeZone: string
}

/**
 * Stores the rows of an import chunk by chunk. Nothing of it is visible yet. A repeat after a crash ends with the same rows,
 * because it reads them in the same order.
 * @throws {ClaimLost} when another run took over
 */
export async function stageItems(
  context: ImportContext,
  claimed: ClaimedImport,
  staging: Staging,
): Promise<StagedCounts> {
  const ignored = new Map<string, number>()
  const ignore = (reason: string, count = 1) => {
    const name = ignored.has(reason) || ignored.size < MOST_REASONS ? reason : FURTHER
    ignored.set(name, (ignored.get(name) ?? 0) + count)
  }
  const preferences: { display: PreferencesChange; order: SourceOrder[]; choices: SourceChoice[] } = {
    display: {},
    order: [],
    choices: [],
  }
  const latest = latestPossible(context.clock.now())
  const latestDate = utcDateOf(latest)
  const fault = (item: StagedItem): string | undefined => {
    if (item.type === "ignored") return item.reason
    if (item.type === "source_order" && preferences.order.length >= SOURCE_TYPES.length) return TOO_MANY_ORDERS
    if (item.type === "source_choice" && preferences.choices.length >= MOST_SOURCE_CHOICES) return TOO_MANY_CHOICES
    if (item.type === "record" && isAfter(item.row, latest)) return `${item.place}: ${IN_FUTURE}`
    if (item.type === "own_answer" || item.type === "own_note")
      return item.row.date > latestDate ? `${item.place}: ${IN_FUTURE}` : undefined
    if (item.type !== "journal") return undefined
    if (item.isPrivate && !claimed.includesPrivate) return PRIVATE_TOPIC
    return item.row.cycle_started_at > latest ? `${item.place}: ${IN_FUTURE}` : undefined
  }
  const notes: string[] = []
  let rows = 0
  let chunk: StagedItem[] = []
  const store = async () => {
    staging.signal.throwIfAborted()
    const items = chunk
    chunk = []
    const leftOut = await personTransaction(context.database, claimed.userId, async (transaction) => {
      // A database that crashes may lose the last chunks: the import begins again then. So no chunk waits for a busy disk.
      await sql`set local synchronous_commit = off`.execute(transaction)
      await holdClaim(transaction, claimed, staging.progress())
      await insertItems(transaction, claimed, items)
      return insertSamples(transaction, claimed, { items, timeZone: staging.timeZone, now: context.clock.now() })
    })
    for (const { type, reason, count } of leftOut) ignore(`${type}: ${reason}`, count)
  }
  // Items without rows count too: they also show that the run lives.
  let seen = 0
  let storedMs = performance.now()
  for await (const item of staging.items) {
    const reason = fault(item)
    if (reason !== undefined) ignore(reason, item.type === "ignored" ? item.count : 1)
    else if (item.type === "left_out") ignore(item.reason)
    else if (item.type === "preferences") preferences.display = item.row
    else if (item.type === "source_order") preferences.order.push(item.row)
    else if (item.type === "source_choice") preferences.choices.push(item.row)
    else if (item.type === "note") notes.push(item.note)
    else if (item.type !== "reading") {
      rows += rowsOf(item)
      chunk.push(item)
    }
    seen += 1 + sampleCount(item) / SAMPLES_PER_ROW
    // Small files are read by the hundred in a second.
    const isSilent = performance.now() - storedMs > SILENT_MS
    if (seen < CHUNK_ROWS && !(item.type === "reading" && isSilent)) continue
    seen = 0
    await store()
    storedMs = performance.now()
  }
  await store()
  return { rows, ignored, notes, preferences }
}

const isAfter = ({ started_at, ended_at }: StagedRecord, latest: Date): boolean =>
  started_at > latest || (ended_at !== null && ended_at !== undefined && ended_at > latest)

async function insertItems(
  transaction: Transaction<Database>,
  { userId, id }: ClaimedImport,
  items: readonly StagedItem[],
): Promise<void> {
  const key = { user_id: userId, import_id: id }
  const records = items.flatMap((item) => (item.type === "record" ? [item.row] : []))
  const answers = items.flatMap((item) => (item.type === "journal" ? [item.row] : []))
  await insertRecords(transaction, key, records)
  await insertAnswers(transaction, key, answers)
  await insertOwn(transaction, key, items)
  for (const item of items) if (item.type === "profile") await insertProfile(transaction, key, item.row)
}

/** What counts as a row of the report: records and answers. Samples are counted once all are stored. */
const rowsOf = (item: StagedItem): number =>
  item.type === "series" || item.type === "profile" || item.type === "own_note" ? 0 : 1

const sampleCount = (item: StagedItem): number => (item.type === "series" ? item.row.set.samples.length : 0)

/** Samples of records, and those on their own. Returns the samples that cannot be used. */
async function insertSamples(
  transaction: Transaction<Database>,
  { userId, id }: Pick<ClaimedImport, "userId" | "id">,
  { items, timeZone, now }: { readonly items: readonly StagedItem[]; readonly timeZone: string; readonly now: Date },
): Promise<LeftOut[]> {
  const leftOut: LeftOut[] = []
  for (const { provider, recordId, wasDirect, set } of items.flatMap(seriesOf)) {
    const owner = { userId, provider, import: { id, wasDirect } }
    const dated = withOffsets(plausibleSamples(set, now), timeZone)
    const change = await mergeSamples(transaction, owner, [dated], recordId)
    leftOut.push(...change.leftOut)
  }
  return leftOut
}

/** Counts belong to the date of their own offset: a person who moves keeps the days of before. */
function withOffsets(set: SampleSet, timeZone: string): SampleSet {
  if (!SUM_TYPES.includes(set.type)) return set
  const samples = set.samples.map((sample) => ({
    ...sample,
    utcOffsetMinutes: sample.utcOffsetMinutes ?? offsetInZone(sample.atMs, timeZone),
  }))
  return { ...set, samples }
}

function seriesOf(item: StagedItem): readonly StagedSeries[] {
  if (item.type === "series") return [item.row]
  if (item.type !== "record") return []
  const { provider, provider_id: recordId } = item.row
  return (item.samples ?? []).map((set) => ({ provider, recordId, wasDirect: false, set }))
}

interface ImportKey {
  readonly user_id: string
  readonly import_id: string
}

/**
 * What decides between two versions of a record within an import, as between those of two imports: scored, over, the fuller one. Of equal ones
 * that of the vendor's later change counts, else the row that comes later.
 */
const rankIn = (table: "staged" | "excluded" | "r") =>
  sql.join([
    sql`${sql.ref(`${table}.score_state`)} = 'scored'`,
    sql`${sql.ref(`${table}.ended_at`)} is not null`,
    sql.ref(`${table}.precedence`),
    // Only the vendor's own records have the time of their change.
    sql`case when ${sql.ref(`${table}.was_direct`)} then ${sql.ref(`${table}.vendor_updated_at`)} else '-infinity' end`,
  ])

/** Stores records of an import, of several versions the one that counts. */
export async function insertRecords(
  transaction: Transaction<Database>,
  { user_id, import_id }: ImportKey,
  rows: readonly StagedRecord[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into restwell.import_record as staged (user_id, import_id, provider, has_vendor_id, was_direct, precedence, ${recordColumns})
    select distinct on (provider, kind, provider_id)
      ${user_id}, ${import_id}::uuid, provider, has_vendor_id, was_direct, precedence, ${recordColumns}
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
      provider text, has_vendor_id boolean, was_direct boolean, precedence double precision, ${recordDefinitions}))
      with ordinality as r
    order by provider, kind, provider_id, row(${rankIn("r")}, ordinality) desc
    on conflict (user_id, import_id, provider, kind, provider_id) do update
    set has_vendor_id = excluded.has_vendor_id, was_direct = excluded.was_direct, precedence = excluded.precedence, ${replaceVersion}
    where (${rankIn("excluded")}) >= (${rankIn("staged")})
  `.execute(transaction)
}

/** Of several answers to a question the later one counts. None is no answer. */
async function insertAnswers(
  transaction: Transaction<Database>,
  { user_id, import_id }: ImportKey,
  rows: readonly StagedAnswer[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into restwell.journal_answer as staged (user_id, import_id, provider, cycle_started_at, question, provider_id,
      utc_offset_minutes, factor, answer, date)
    select distinct on (provider, cycle_started_at, question, provider_id) ${user_id}, ${import_id}::uuid, provider, cycle_started_at,
      question, provider_id, utc_offset_minutes, factor, answer, date
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
      provider text, cycle_started_at timestamptz, question text, provider_id text, utc_offset_minutes integer, factor text,
      answer boolean, date date)) with ordinality as r
    order by provider, cycle_started_at, question, provider_id, answer is not null desc, ordinality desc
    on conflict (user_id, import_id, provider, cycle_started_at, question, provider_id) do update
    set answer = excluded.answer, utc_offset_minutes = excluded.utc_offset_minutes, date = excluded.date
    where excluded.answer is not null or staged.answer is null
  `.execute(transaction)
}

/** A doubled row of a date and a topic is left out. */
async function insertOwn(
  transaction: Transaction<Database>,
  key: ImportKey,
  items: readonly StagedItem[],
): Promise<void> {
  const answers = items.flatMap((item) => (item.type === "own_answer" ? [{ ...key, ...item.row }] : []))
  const notes = items.flatMap((item) => (item.type === "own_note" ? [{ ...key, ...item.row }] : []))
  if (answers.length > 0)
    await transaction
      .insertInto("import_own_answer")
      .values(answers)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (notes.length > 0)
    await transaction
      .insertInto("import_own_note")
      .values(notes)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

async function insertProfile(
  transaction: Transaction<Database>,
  key: ImportKey,
  { data, raw, ...row }: StagedProfile,
): Promise<void> {
  await transaction
    .insertInto("import_profile")
    .values({ ...key, ...row, data: JSON.stringify(data), raw: JSON.stringify(raw) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

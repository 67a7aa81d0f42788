// Oura's data export (Membership Hub, Export data): a zip of tables with the API's documents, joined to records as the API's are.
import { z } from "zod"
import { type ArchivedRecord, type ArchiveItem, fileItems, leftOutItems } from "../archive/archive-items.ts"
import { brokenRowItem, readCsvRows } from "../archive/csv-rows.ts"
import type { Json, NormalizedCycle, NormalizedRecord, RecordKind } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { cycleDate, localDateOf, recoveryDate, sleepDate } from "../normalize/derive.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import { FIELDS, HEART_RATE_FIELDS, type OuraCollection } from "./api.ts"
import { type DayWindow, OuraDocuments } from "./archive-documents.ts"
import { documentOf, type OtherFile, type OuraTable, READ_COLUMNS } from "./archive-layout.ts"
import { fieldOf, joinDocuments } from "./join.ts"
import { readOuraRecords } from "./normalize.ts"
import { tagItem } from "./tags.ts"
import { NO_SLEEP, OuraDailySleepSchema, OuraHeartRateSchema, OuraSpo2Schema } from "./wire.ts"

/** Documents give no records before all of them are read. */
const QUIET_ROWS = 1_000
const ORDER = ["sleep", "cycle", "recovery", "workout"] as const satisfies readonly RecordKind[]

/** Why a file is not read. */
export const noHeader = ({ name, header, lacks }: OtherFile): string =>
  lacks.length > 0
    ? `${name} is a table of Oura's export without the column ${lacks.join(" and ")}`
    : `${name}, line 1: this is no header of a table that is read of Oura's export: ${header}`

/** True for a file that would be read if its header were whole. */
export const isMissed = ({ isMissed: isNamedSo, lacks }: OtherFile): boolean => isNamedSo || lacks.length > 0

/**
 * Streams what Oura's tables contain. A file with another header and the name of such a table is ignored with a reason.
 * @param missed files with the name of such a table, or with some of its columns
 * @param now decides what may still be scored
 * @throws {UnreadableArchive} when there are too many rows
 */
export async function* readOuraArchive(
  tables: readonly OuraTable[],
  missed: readonly OtherFile[],
  now: Date,
): AsyncGenerator<ArchiveItem, void> {
  for (const other of missed) yield { type: "ignored", reason: noHeader(other) }
  const documents = new OuraDocuments()
  const heartRates = new HeartRateRows()
  for (const table of tables) {
    yield { type: "note", note: readAs(table) }
    yield* fileItems(itemsOf(table, documents, heartRates))
  }
  yield* heartRates.rest()
  const known: Known = { sleeps: new Map(), cycles: new Map(), nights: new Map() }
  for (const days of documents.windows()) yield* joinedItems(days, known, now)
}

function readAs({ name, table, missing }: OuraTable): string {
  const without = missing.length === 0 ? "" : `, which lacks ${missing.join(", ")}`
  return `${name} was read as Oura's ${table}${without}`
}

async function* itemsOf(
  table: OuraTable,
  documents: OuraDocuments,
  heartRates: HeartRateRows,
): AsyncGenerator<ArchiveItem, void> {
  let rows = 0
  for await (const { cells, place, broken } of rowsOf(table)) {
    rows += 1
    if (rows % QUIET_ROWS === 0) yield { type: "reading" }
    if (broken) yield broken
    else if (table.table === "enhanced_tag") yield tagItem(table, cells, place)
    else if (cells.length !== table.width)
      yield { type: "ignored", reason: `${place}: it has ${cells.length} cells, the header has ${table.width}` }
    else if (table.table === "heartrate") yield* heartRates.read(documentOf(HEART_RATE_FIELDS, table, cells), place)
    else {
      const document = documentOf(FIELDS[table.table], table, cells)
      const reason = reasonToIgnore(table.table, document, place)
      if (reason === undefined) documents.add(table.table, document, place)
      else yield { type: "ignored", reason }
    }
  }
}

async function* rowsOf(table: OuraTable) {
  const { name, delimiter, columns } = table
  let isHeader = true
  const wanted = new Set([...READ_COLUMNS[table.table], "timestamp"].map((column) => columns.get(column)))
  const format = { delimiter, reads: (index: number) => wanted.has(index) }
  for await (const row of readCsvRows(table, format)) {
    const place = `${name}, line ${row.line}`
    if ("fault" in row) yield { cells: [], place, broken: brokenRowItem(name, row) }
    else if (!isHeader) yield { cells: row.cells, place }
    isHeader = false
  }
}

/** Some days. Their rows are short-lived, so a table of gigabytes takes no more memory than a small one. */
const HEART_RATES_AT_ONCE = 10_000

/** Heart rates of the data export, of which a year has half a million. They belong to no day's documents. */
class HeartRateRows {
  #samples: Sample[] = []
  #place = "";

  *read(row: Json, place: string): Generator<ArchiveItem, void> {
    const { data, error } = OuraHeartRateSchema.safeParse(row)
    if (error) yield { type: "ignored", reason: `${place}: ${reasonsOf(error)}` }
    else if (typeof data.bpm === "number") this.#samples.push({ atMs: data.timestamp.getTime(), value: data.bpm })
    this.#place = place
    if (this.#samples.length >= HEART_RATES_AT_ONCE) yield* this.rest()
  }

  *rest(): Generator<ArchiveItem, void> {
    const samples = this.#samples
    this.#samples = []
    if (samples.length > 0) yield { type: "series", set: { type: "heart_rate", samples }, place: this.#place }
  }
}

/** Schemas of the documents that are a part of other records. The others are parsed as records. */
const PARTS = { daily_sleep: OuraDailySleepSchema, daily_spo2: OuraSpo2Schema } as const
const DaySchema = z.object({
  day: z.iso.date({ error: "not a date", abort: true }).startsWith("20", { error: "not in this century" }),
})

function reasonToIgnore(collection: OuraCollection, document: Json, place: string): string | undefined {
  if (collection === "sleep" && NO_SLEEP.includes(fieldOf(document, "type")))
    return "sleep periods that were rejected or deleted in Oura's app"
  const dayed = DaySchema.safeParse(document)
  if (!dayed.success) return `${place}: ${reasonsOf(dayed.error)}`
  if (collection !== "daily_sleep" && collection !== "daily_spo2") return undefined
  // The record that it is a part of names its fields that are wrong.
  const usable = usableOf(PARTS[collection], document)
  return usable instanceof z.ZodError ? `${place}: ${reasonsOf(usable)}` : undefined
}

async function* joinedItems(days: DayWindow, known: Known, now: Date): AsyncGenerator<ArchiveItem, void> {
  for (const kind of ORDER)
    for (const raw of await joinDocuments(days.list, kind, days.range)) {
      const place = placeOf(days.places, raw)
      const { records, rejected } = readOuraRecords(kind, [raw], now)
      for (const { reason } of rejected) yield { type: "ignored", reason: `${place}: ${reason}` }
      for (const record of records) {
        yield* leftOutItems(kind, record.leftOut)
        const archived = archivedOf(record, known)
        remember(archived, known)
        yield { type: "record", archived, place }
      }
    }
}

/** In the order in which they name a record. */
const MAIN_DOCUMENTS = [
  "daily_readiness",
  "sleep",
  "workout",
  "daily_activity",
] as const satisfies readonly OuraCollection[]

/** File and line of the document that names a record. */
const placeOf = (places: DayWindow["places"], raw: Json): string =>
  MAIN_DOCUMENTS.flatMap((name) => places.get(fieldOf(raw, name) ?? null) ?? [])[0] ?? ""

type DateAndTime = Pick<ArchivedRecord, "date" | "startedAt" | "utcOffsetMinutes">

/** What dates are derived from, by id. */
interface Known {
  readonly sleeps: Map<string, DateAndTime>
  readonly cycles: Map<string, DateAndTime>
  /** The first night of each cycle. */
  readonly nights: Map<string, DateAndTime>
}

function remember({ record, ...archived }: ArchivedRecord, { sleeps, cycles, nights }: Known): void {
  const { date, startedAt, utcOffsetMinutes } = archived
  const basis = { date, startedAt, utcOffsetMinutes }
  if (record.kind === "cycle") cycles.set(record.providerId, basis)
  if (record.kind !== "sleep") return
  sleeps.set(record.providerId, basis)
  if (record.isNap || record.cycleProviderId === undefined) return
  const first = nights.get(record.cycleProviderId)
  if (!first || startedAt < first.startedAt) nights.set(record.cycleProviderId, basis)
}

/** The record with the date and time that the store would derive. */
function archivedOf(record: NormalizedRecord, { sleeps, cycles, nights }: Known): ArchivedRecord {
  if (record.kind === "recovery") {
    const basis = sleeps.get(record.sleepProviderId ?? "") ?? cycles.get(record.cycleProviderId ?? "")
    return {
      record,
      date: basis?.date ?? recoveryDate(record),
      startedAt: basis?.startedAt ?? new Date(record.createdMs),
      utcOffsetMinutes: basis?.utcOffsetMinutes ?? 0,
    }
  }
  const { startMs, utcOffsetMinutes } = record
  const startedAt = new Date(startMs)
  const times = { record, startedAt, utcOffsetMinutes }
  if (record.kind === "sleep") return { ...times, date: sleepDate(record) }
  if (record.kind === "workout") return { ...times, date: localDateOf(startedAt, utcOffsetMinutes) }
  return { ...times, date: nights.get(record.providerId)?.date ?? cycleDate(record), precedence: dayPrecedence(record) }
}

/** The last day of an export is not over: one that another day follows counts before it, and of two last days the one with more energy. */
const dayPrecedence = ({ raw, energyKcal = 0 }: NormalizedCycle): number =>
  fieldOf(raw, "next_activity") === undefined ? -1 / (1 + energyKcal) : 0

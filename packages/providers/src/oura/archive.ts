// Oura's data export (Membership Hub, Export data): a zip of tables with the API's documents, joined to records as the API's are.
import { readCsvRows } from "../archive/csv-rows.ts"
import { type ArchivedRecord, type ArchiveItem, UnreadableArchive } from "../contract/archive.ts"
import type { Json, NormalizedRecord, RecordKind } from "../contract/records.ts"
import { cycleDate, localDateOf, recoveryDate } from "../derive/local-date.ts"
import { reasonsOf } from "../normalize/parse.ts"
import { documentOf, type OtherFile, type OuraTable } from "./archive-layout.ts"
import { tagItem } from "./archive-tags.ts"
import type { OuraCollection } from "./collections.ts"
import { fieldOf, joinDocuments, type List } from "./join.ts"
import { readOuraRecords } from "./parse.ts"
import { NO_SLEEP, OuraDailySleepSchema, OuraDayedSchema, OuraSpo2Schema } from "./wire.ts"

/** More documents than anyone's history has. They are in memory while they are joined. */
const MOST_DOCUMENTS = 200_000
const ALL_DAYS = { first: "2000-01-01", last: "2100-01-01" }
const ORDER = ["sleep", "cycle", "recovery", "workout"] as const satisfies readonly RecordKind[]

/** The documents of an archive by collection, and the file and line of each. */
interface Documents {
  readonly of: ReadonlyMap<OuraCollection, readonly Json[]>
  readonly places: ReadonlyMap<Json, string>
}

/** Why a file is not read. */
export const noHeader = ({ name, header }: OtherFile): string =>
  `${name}, line 1: this is no header of a table that is read of Oura's export: ${header}`

/**
 * Streams what Oura's tables contain. A file with another header and the name of such a table is ignored with a reason.
 * @param now tells what may still be scored
 * @throws {UnreadableArchive} when a table is broken as a whole
 */
export async function* readOuraArchive(
  tables: readonly OuraTable[],
  others: readonly OtherFile[],
  now: Date,
): AsyncGenerator<ArchiveItem, void> {
  for (const other of others) if (other.isMissed) yield { type: "ignored", reason: noHeader(other) }
  const of = new Map<OuraCollection, Json[]>()
  const places = new Map<Json, string>()
  for (const table of tables)
    for await (const { cells, place } of rowsOf(table)) {
      if (table.table === "enhanced_tag") {
        yield tagItem(table, cells, place)
        continue
      }
      const document = documentOf(table.table, table, cells)
      const reason = reasonToIgnore(table.table, document)
      if (reason !== undefined) {
        yield { type: "ignored", reason: reason.isOfRow ? `${place}: ${reason.text}` : reason.text }
        continue
      }
      if (places.size >= MOST_DOCUMENTS)
        throw new UnreadableArchive(`${place}: the archive has more than ${MOST_DOCUMENTS} rows of sleeps and days`)
      const documents = of.get(table.table)
      if (documents) documents.push(document)
      else of.set(table.table, [document])
      places.set(document, place)
    }
  yield* joinedItems({ of, places }, now)
}

async function* rowsOf({ name, open, delimiter }: OuraTable) {
  let width = 0
  for await (const { line, cells } of readCsvRows(name, await open(), { delimiter, hasLooseQuotes: true })) {
    if (width === 0) width = cells.length
    else yield { cells, place: `${name}, line ${line}` }
  }
}

/** Schemas of the documents that are a part of other records. The others are parsed as records. */
const PARTS = { daily_sleep: OuraDailySleepSchema, daily_spo2: OuraSpo2Schema.and(OuraDayedSchema) } as const

interface Ignored {
  readonly text: string
  /** True for a fault of this row. */
  readonly isOfRow: boolean
}

function reasonToIgnore(collection: OuraCollection, document: Json): Ignored | undefined {
  if (collection === "sleep" && NO_SLEEP.includes(fieldOf(document, "type")))
    return { text: "sleep periods that were rejected or deleted in Oura's app", isOfRow: false }
  if (collection !== "daily_sleep" && collection !== "daily_spo2") return undefined
  const parsed = PARTS[collection].safeParse(document)
  return parsed.success ? undefined : { text: reasonsOf(parsed.error), isOfRow: true }
}

async function* joinedItems({ of, places }: Documents, now: Date): AsyncGenerator<ArchiveItem, void> {
  const list: List = async (collection) => of.get(collection) ?? []
  const known: Known = { sleeps: new Map(), cycles: new Map(), nights: new Map() }
  for (const kind of ORDER)
    for (const raw of await joinDocuments(list, kind, ALL_DAYS)) {
      const place = placeOf(places, raw)
      const { records, rejected } = readOuraRecords(kind, [raw], now)
      for (const { reason } of rejected) yield { type: "ignored", reason: `${place}: ${reason}` }
      for (const record of records) {
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
const placeOf = (places: Documents["places"], raw: Json): string =>
  MAIN_DOCUMENTS.flatMap((name) => places.get(fieldOf(raw, name) ?? null) ?? [])[0] ?? ""

/** What dates are derived from, by id. */
interface Known {
  readonly sleeps: Map<string, ArchivedRecord>
  readonly cycles: Map<string, ArchivedRecord>
  /** The first night of each cycle. */
  readonly nights: Map<string, ArchivedRecord>
}

function remember(archived: ArchivedRecord, { sleeps, cycles, nights }: Known): void {
  const { record, startedAt } = archived
  if (record.kind === "cycle") cycles.set(record.providerId, archived)
  if (record.kind !== "sleep") return
  sleeps.set(record.providerId, archived)
  if (record.data.isNap || record.cycleProviderId === undefined) return
  const first = nights.get(record.cycleProviderId)
  if (!first || startedAt < first.startedAt) nights.set(record.cycleProviderId, archived)
}

/** The record with the date and time that the store would derive. */
function archivedOf(record: NormalizedRecord, { sleeps, cycles, nights }: Known): ArchivedRecord {
  if (record.kind === "recovery") {
    const basis = sleeps.get(record.sleepProviderId ?? "") ?? cycles.get(record.cycleProviderId ?? "")
    return {
      record,
      date: basis?.date ?? recoveryDate(record),
      startedAt: basis?.startedAt ?? record.createdAt,
      endedAt: null,
      utcOffsetMinutes: basis?.utcOffsetMinutes ?? 0,
    }
  }
  const { startedAt, endedAt, utcOffsetMinutes } = record
  const times = { record, startedAt, endedAt, utcOffsetMinutes }
  if (record.kind === "sleep") return { ...times, date: localDateOf(record.endedAt, utcOffsetMinutes) }
  if (record.kind === "workout") return { ...times, date: localDateOf(startedAt, utcOffsetMinutes) }
  return { ...times, date: nights.get(record.providerId)?.date ?? cycleDate(record) }
}

// WHOOP's data export (app, Data Export): a zip of four tables, or one of them. It has neither ids nor a time of export.
import type { z } from "zod"
import { type CsvRow, readCsvRows } from "../archive/csv-rows.ts"
import { piecesOf, readZipEntries } from "../archive/zip-entries.ts"
import { type ArchivedRecord, type ArchiveFile, type ArchiveItem, UnreadableArchive } from "../contract/archive.ts"
import type { Json } from "../contract/records.ts"
import { factorOf } from "../normalize/journal-factors.ts"
import { reasonsOf } from "../normalize/parse.ts"
import { findImplausible } from "../normalize/plausible.ts"
import { unstorablePath } from "../normalize/storable-text.ts"
import { isSavedBySpreadsheet, type Layout, recognizeLayout, TABLE_NAMES, type TableName } from "./archive-layout.ts"
import {
  normalizeCycleRow,
  normalizeRecoveryRow,
  normalizeSleepRow,
  normalizeWorkoutRow,
  sleepOfCycle,
} from "./archive-normalize.ts"
import { CycleRowSchema, JournalRowSchema, SleepRowSchema, WorkoutRowSchema } from "./archive-values.ts"
import { WHOOP_PLAUSIBLE } from "./plausible.ts"

/** Rows that show which table a file is. */
const SAMPLE_ROWS = 50
/** A header that is repeated to the person. */
const SHOWN_CHARACTERS = 200
const MINUTE_MS = 60_000

interface TableFile {
  readonly name: string
  readonly open: () => Promise<AsyncIterable<Buffer>>
}

interface Table extends TableFile, Layout {}

/**
 * Streams what WHOOP's zip file, or one of its tables, contains. Files that are none of its tables are ignored with a reason.
 * @throws {UnreadableArchive} when the file is broken as a whole, or has no table of WHOOP
 */
export async function* readWhoopArchive(file: ArchiveFile, isZip: boolean): AsyncGenerator<ArchiveItem, void> {
  const files = isZip ? await tableFilesOf(file) : [{ name: file.name, open: async () => piecesOf(file) }]
  const tables: Table[] = []
  const unknown: string[] = []
  for (const found of files) {
    const layout = await layoutOf(found)
    if (typeof layout === "string") unknown.push(layout)
    else tables.push({ ...found, ...layout })
  }
  if (tables.length === 0) throw new UnreadableArchive(unknown[0] ?? `${file.name} has no table of WHOOP's export`)
  for (const reason of unknown) yield { type: "ignored", reason }
  const ordered = tables.toSorted((one, other) => TABLE_NAMES.indexOf(one.table) - TABLE_NAMES.indexOf(other.table))
  const present = new Set(tables.map(({ table }) => table))
  for (const table of ordered) yield* itemsOf(table, present)
}

/** macOS adds hidden copies, and a GDPR archive has other files. */
async function tableFilesOf(file: ArchiveFile): Promise<TableFile[]> {
  const entries = await readZipEntries(file)
  const tables = entries.filter(({ name }) => /\.csv$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name))
  if (tables.length === 0)
    throw new UnreadableArchive(`${file.name} has no table (.csv), upload the zip file of WHOOP's export`)
  return tables
}

/** The layout of a file, or why it is none of WHOOP's tables. */
async function layoutOf({ name, open }: TableFile): Promise<Layout | string> {
  const sample: CsvRow[] = []
  for await (const row of readCsvRows(name, await open())) {
    sample.push(row)
    if (sample.length > SAMPLE_ROWS) break
  }
  const [header, ...rows] = sample.map(({ cells }) => cells)
  if (!header) return `${name} is empty`
  if (isSavedBySpreadsheet(header, rows))
    throw new UnreadableArchive(
      `${name}, line 1: a spreadsheet program saved this file again and changed its dates or separators, ` +
        "upload the file as WHOOP sent it",
    )
  const shown = header.join(",").slice(0, SHOWN_CHARACTERS)
  return recognizeLayout(header, rows) ?? `${name}, line 1: this is no header of WHOOP's export: ${shown}`
}

async function* itemsOf(
  { name, open, table, columns }: Table,
  present: ReadonlySet<TableName>,
): AsyncGenerator<ArchiveItem, void> {
  let isHeader = true
  for await (const { line, cells } of readCsvRows(name, await open())) {
    if (isHeader) {
      isHeader = false
      continue
    }
    const row = rawOf(columns, cells)
    const unstorable = unstorablePath(row)
    if (unstorable !== undefined)
      yield { type: "ignored", reason: `${name}, line ${line}: ${unstorable} has a character that cannot be stored` }
    else for (const item of READERS[table](row, { place: `${name}, line ${line}`, present })) yield item
  }
}

type RawRow = Record<string, string>

/** The cells by column. Blank ones are left out. */
const rawOf = (columns: Layout["columns"], cells: readonly string[]): RawRow =>
  Object.fromEntries(
    [...columns].flatMap(([column, index]) => {
      const cell = cells[index] ?? ""
      return cell.trim() === "" ? [] : [[column, cell]]
    }),
  )

interface Place {
  /** File and line. */
  readonly place: string
  /** The tables that the archive has. */
  readonly present: ReadonlySet<TableName>
}

type RowReader = (raw: RawRow, place: Place) => readonly ArchiveItem[]

/** The items of a row that its schema accepts, else the reason why it is ignored. */
const rowReader =
  <Schema extends z.ZodType>(
    schema: Schema,
    read: (row: z.infer<Schema>, raw: RawRow, place: Place) => readonly ArchiveItem[],
  ): RowReader =>
  (raw, place) => {
    const parsed = schema.safeParse(raw)
    if (!parsed.success) return [ignored(place, reasonsOf(parsed.error))]
    return read(parsed.data, raw, place)
  }

const ignored = ({ place }: Place, reason: string): ArchiveItem => ({ type: "ignored", reason: `${place}: ${reason}` })

function recordItem(archived: ArchivedRecord, place: Place): ArchiveItem {
  const implausible = findImplausible(archived.record, WHOOP_PLAUSIBLE)
  if (implausible) return ignored(place, `${implausible.field}: ${implausible.reason}`)
  return { type: "record", archived, place: place.place }
}

const READERS: Readonly<Record<TableName, RowReader>> = {
  cycles: rowReader(CycleRowSchema, (row, raw, place) => {
    const recovery = normalizeRecoveryRow(row, raw)
    // The table of sleeps has the same sleep.
    const sleep = place.present.has("sleeps") ? undefined : sleepOfCycle(row)
    return [
      recordItem(normalizeCycleRow(row, raw), place),
      ...(recovery ? [recordItem(recovery, place)] : []),
      ...(sleep ? [recordItem(normalizeSleepRow(sleep, sleepRawOf(raw)), place)] : []),
    ]
  }),
  sleeps: rowReader(SleepRowSchema, (row, raw, place) => [
    recordItem(normalizeSleepRow(row, { ...raw, nap: String(row.nap) }), place),
  ]),
  workouts: rowReader(WorkoutRowSchema, (row, raw, place) => [recordItem(normalizeWorkoutRow(row, raw), place)]),
  journal: rowReader(JournalRowSchema, (row, _raw, { place }) => [
    {
      type: "journal",
      answer: {
        cycleStartedAt: new Date(row.cycle_start - row.time_zone * MINUTE_MS),
        utcOffsetMinutes: row.time_zone,
        question: row.question,
        answer: row.answer ?? null,
        ...factorOf(row.question),
      },
      place,
    },
  ]),
}

const OF_CYCLE: ReadonlySet<string> = new Set(
  "recovery resting_heart_rate hrv skin_temp spo2 strain calories max_heart_rate average_heart_rate".split(" "),
)

/** The columns that the table of sleeps has too, so that both tables give the same record. */
const sleepRawOf = (raw: RawRow): Json => ({
  ...Object.fromEntries(Object.entries(raw).filter(([column]) => !OF_CYCLE.has(column))),
  nap: "false",
})

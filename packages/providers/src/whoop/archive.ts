// WHOOP's data export (app, Data Export): a zip of four tables, or one of them. It has neither ids nor a time of export.
import { z } from "zod"
import {
  type ArchivedRecord,
  type ArchiveItem,
  leftOutItems,
  recordItems,
  UnreadableArchive,
} from "../archive/archive-items.ts"
import { firstRowsOf, readCsvRows, type TableFile } from "../archive/csv-rows.ts"
import type { Json } from "../contract/records.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { unstorablePath } from "../normalize/storable-text.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import { factorOf } from "../normalize/vocabulary.ts"
import {
  isSavedBySpreadsheet,
  type Layout,
  recognizeLayout,
  TABLE_NAMES,
  TABLES,
  type TableName,
} from "./archive-layout.ts"
import {
  normalizeCycleRow,
  normalizeRecoveryRow,
  normalizeSleepRow,
  normalizeWorkoutRow,
  sleepOfCycle,
} from "./archive-normalize.ts"
import {
  CycleRowSchema,
  type JournalRow,
  JournalRowSchema,
  SleepRowSchema,
  WorkoutRowSchema,
} from "./archive-values.ts"
import { WHOOP_PLAUSIBLE } from "./normalize.ts"

/** Rows that show which table a file is. */
const SAMPLE_ROWS = 50
/** A header that is repeated to the person. */
const SHOWN_CHARACTERS = 200
const MINUTE_MS = 60_000

interface Table extends TableFile, Layout {}

/**
 * Recognises WHOOP's tables, and returns a stream of what they contain. Files that are none of them are ignored with a reason.
 * @throws {UnreadableArchive} when a table is broken as a whole, or none is WHOOP's
 */
export async function readWhoopArchive(files: readonly TableFile[]): Promise<AsyncIterable<ArchiveItem>> {
  const tables: Table[] = []
  const unknown: string[] = []
  for (const found of files) {
    const layout = await layoutOf(found)
    if (typeof layout === "string") unknown.push(layout)
    else tables.push({ ...found, ...layout })
  }
  if (tables.length === 0) throw new UnreadableArchive(unknown[0] ?? "the archive has no table of WHOOP's export")
  return itemsOfTables(tables, unknown)
}

async function* itemsOfTables(tables: readonly Table[], unknown: readonly string[]): AsyncGenerator<ArchiveItem, void> {
  for (const reason of unknown) yield { type: "ignored", reason }
  const ordered = tables.toSorted((one, other) => TABLE_NAMES.indexOf(one.table) - TABLE_NAMES.indexOf(other.table))
  const present = new Set(tables.map(({ table }) => table))
  for (const table of ordered) yield* itemsOf(table, present)
}

/** The layout of a file, or why it is none of WHOOP's tables. */
async function layoutOf(file: TableFile): Promise<Layout | string> {
  const { name } = file
  const [header, ...rows] = (await firstRowsOf(file, SAMPLE_ROWS + 1)).map(({ cells }) => cells)
  if (!header) return `${name} is empty`
  if (isSavedBySpreadsheet(header, rows))
    throw new UnreadableArchive(
      `${name}, line 1: a spreadsheet program saved this file again and changed its dates or separators`,
      { nextStep: "upload the file as WHOOP sent it" },
    )
  const shown = header.join(",").slice(0, SHOWN_CHARACTERS)
  return recognizeLayout(header, rows) ?? `${name}, line 1: this is no header of WHOOP's export: ${shown}`
}

async function* itemsOf(table: Table, present: ReadonlySet<TableName>): AsyncGenerator<ArchiveItem, void> {
  const { name, open } = table
  let width = 0
  for await (const { line, cells } of readCsvRows(name, await open())) {
    if (width === 0) width = cells.length
    else yield* itemsOfRow(table, cells, { width, name, place: `${name}, line ${line}`, present })
  }
}

interface RowPlace extends Place {
  /** Cells of the header. */
  readonly width: number
}

function itemsOfRow({ table, columns }: Table, cells: readonly string[], place: RowPlace): readonly ArchiveItem[] {
  const raw = rawOf(columns, cells)
  const unstorable = unstorablePath(raw)
  if (unstorable !== undefined) return [ignored(place, `${unstorable} has a character that cannot be stored`)]
  const items = READERS[table](raw, place)
  const isUsed = items.some(({ type }) => type !== "ignored" && type !== "left_out")
  return isUsed && !hasAllCells({ table, columns }, cells, place)
    ? [ignored(place, `it has ${cells.length} cells, the header has ${place.width}`)]
    : items
}

/** A row that was cut off lacks cells, and one with a stray comma has too many. Notes may have commas. */
function hasAllCells({ table, columns }: Layout, cells: readonly string[], { width }: RowPlace): boolean {
  const least = Math.max(...TABLES[table].required.map((column) => (columns.get(column) ?? 0) + 1))
  return cells.length >= least && (table === "journal" || cells.slice(width).every((cell) => cell.trim() === ""))
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
  /** Of the file. */
  readonly name: string
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
    const usable = usableOf(schema, raw, ESSENTIAL)
    if (usable instanceof z.ZodError) return [ignored(place, reasonsOf(usable))]
    return [...leftOutItems(place.name, usable.leftOut), ...read(usable.value, raw, place)]
  }

/** A cycle whose end is not read would be the open one, and an answer that is not read an unanswered question. */
const ESSENTIAL = ["cycle_end", "answer"]

const ignored = ({ place }: Place, reason: string): ArchiveItem => ({ type: "ignored", reason: `${place}: ${reason}` })

const itemsOfRecord = (archived: ArchivedRecord, { place }: Place): ArchiveItem[] =>
  recordItems(archived, place, WHOOP_PLAUSIBLE)

const READERS: Readonly<Record<TableName, RowReader>> = {
  cycles: rowReader(CycleRowSchema, (row, raw, place) => {
    const recovery = normalizeRecoveryRow(row, raw)
    // The table of sleeps has the same sleep.
    const sleep = place.present.has("sleeps") ? undefined : sleepOfCycle(row)
    return [
      ...itemsOfRecord(normalizeCycleRow(row, raw), place),
      ...(recovery ? itemsOfRecord(recovery, place) : []),
      ...(sleep ? itemsOfRecord(normalizeSleepRow(sleep, sleepRawOf(raw)), place) : []),
    ]
  }),
  sleeps: rowReader(SleepRowSchema, (row, raw, place) =>
    itemsOfRecord(normalizeSleepRow(row, { ...raw, nap: String(row.nap) }), place),
  ),
  workouts: rowReader(WorkoutRowSchema, (row, raw, place) => itemsOfRecord(normalizeWorkoutRow(row, raw), place)),
  journal: rowReader(JournalRowSchema, (row, _raw, place) => [answerItem(row, place)]),
}

function answerItem(row: JournalRow, place: Place): ArchiveItem {
  const cycleStartedAt = new Date(row.cycle_start - row.time_zone * MINUTE_MS)
  if (!isPlausibleInstant(cycleStartedAt)) return ignored(place, "cycle_start: not an instant of this century")
  const answer = {
    cycleStartedAt,
    utcOffsetMinutes: row.time_zone,
    question: row.question,
    answer: row.answer ?? null,
    ...factorOf(row.question),
  }
  return { type: "journal", answer, place: place.place }
}

const OF_CYCLE: ReadonlySet<string> = new Set(
  "recovery resting_heart_rate hrv skin_temp spo2 strain calories max_heart_rate average_heart_rate".split(" "),
)

/** The columns that the table of sleeps has too, so that both tables give the same record. */
const sleepRawOf = (raw: RawRow): Json => ({
  ...Object.fromEntries(Object.entries(raw).filter(([column]) => !OF_CYCLE.has(column))),
  nap: "false",
})

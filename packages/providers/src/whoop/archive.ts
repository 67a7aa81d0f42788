// WHOOP's data export (app, Data Export): a zip of four tables, or one of them. It has neither ids nor a time of export.
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import {
  type ArchivedRecord,
  type ArchiveItem,
  fileItems,
  leftOutItems,
  recordItems,
  UnreadableFile,
} from "../archive/archive-items.ts"
import { brokenRowItem, firstRowsIn, readCsvRows } from "../archive/csv-rows.ts"
import { Offsets } from "../archive/offsets.ts"
import type { TextFile, TextHead } from "../archive/text.ts"
import type { Json } from "../contract/records.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { unstorablePath } from "../normalize/storable-text.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import { factorOf } from "../normalize/vocabulary.ts"
import { AnswerWords, yesOrNo } from "../normalize/yes-or-no.ts"
import { TABLES, type TableName } from "./archive-columns.ts"
import { isSavedBySpreadsheet, type Layout, recognizeLayout, type Unusable } from "./archive-layout.ts"
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
  localTime,
  SleepRowSchema,
  WorkoutRowSchema,
} from "./archive-values.ts"
import { WHOOP_PLAUSIBLE } from "./normalize.ts"

/** Rows that show which table a file is. */
const SAMPLE_ROWS = 50

/** A file that is a table of WHOOP's, usable or not. */
export type WhoopFile = TextFile & (Layout | Unusable)

/** Returns what table a file is. Undefined if it is none of WHOOP's. @throws {UnreadableFile} when a spreadsheet program saved it again */
export function whoopFileOf(head: TextHead): WhoopFile | undefined {
  const [header, ...rows] = firstRowsIn(head, { delimiter: ",", count: SAMPLE_ROWS + 1 }).map(({ cells }) => cells)
  if (!header) return undefined
  const { name, open } = head
  if (isSavedBySpreadsheet(header, rows))
    throw new UnreadableFile(
      `${name}, line 1: a spreadsheet program saved this file again and changed its dates or separators`,
      { nextStep: "upload the file as WHOOP sent it" },
    )
  const found = recognizeLayout(header, rows)
  return found && { name, open, ...found }
}

interface Table extends TextFile, Layout {}

/** Streams what WHOOP's tables contain. @param timeZone of the person, for a table without the zone of its cycles */
export async function* readWhoopArchive(
  files: readonly WhoopFile[],
  timeZone: string,
): AsyncGenerator<ArchiveItem, void> {
  for (const file of files)
    yield "columns" in file
      ? { type: "note", note: readAs(file) }
      : { type: "ignored", reason: `${file.name}: ${NAMES[file.table]} without the column ${file.lacks.join(" and ")}` }
  const tables = files.filter((file) => "columns" in file)
  const ordered = tables.toSorted((one, other) => ORDER.indexOf(one.table) - ORDER.indexOf(other.table))
  const sleepIds = new Set<string>()
  const offsets = new Offsets(timeZone)
  const zones = tables.every(({ columns }) => columns.has("time_zone")) ? new Map() : await zonesOf(ordered)
  for (const table of ordered)
    yield* fileItems(itemsOf(table, { sleepIds, offsets, zones, words: await wordsOf(table) }))
  const { note } = offsets
  if (note !== undefined) yield { type: "note", note }
}

/** Sleeps first: each cycle has its night too, which counts where the table of sleeps lacks it. */
const ORDER: readonly TableName[] = ["sleeps", "cycles", "workouts", "journal"]

const NAMES: Readonly<Record<TableName, string>> = {
  cycles: "WHOOP's cycles",
  sleeps: "WHOOP's sleeps",
  workouts: "WHOOP's workouts",
  journal: "WHOOP's journal",
}

function readAs({ name, table, missing }: Table): string {
  const without = missing.length === 0 ? "" : `, which lack ${missing.join(", ")}`
  return `${name} was read as ${NAMES[table]}${without}`
}

const WORD_COLUMNS = { sleeps: "nap", journal: "answer", cycles: undefined, workouts: undefined } as const

/** The words of the table's column of yes and no, which are judged together. */
async function wordsOf(table: Table): Promise<AnswerWords> {
  const words = new AnswerWords()
  const index = table.columns.get(WORD_COLUMNS[table.table] ?? "")
  if (index === undefined) return words
  let isHeader = true
  // The second reading says what is broken.
  for await (const row of fileItems(readCsvRows(table))) {
    if (!("cells" in row)) continue
    if (!isHeader) words.add(row.cells[index] ?? "")
    isHeader = false
  }
  return words
}

/** The zone of each cycle, by its start, for tables that lack it. */
async function zonesOf(tables: readonly Table[]): Promise<ReadonlyMap<string, string>> {
  const zones = new Map<string, string>()
  for (const table of tables) {
    const [start, zone] = [table.columns.get("cycle_start"), table.columns.get("time_zone")]
    if (start === undefined || zone === undefined) continue
    for await (const row of fileItems(readCsvRows(table)))
      if ("cells" in row) zones.getOrInsert(row.cells[start] ?? "", row.cells[zone] ?? "")
  }
  return zones
}

interface Reading {
  /** The sleeps that the table of sleeps gave. */
  readonly sleepIds: Set<string>
  readonly offsets: Offsets
  readonly zones: ReadonlyMap<string, string>
  readonly words: AnswerWords
}

async function* itemsOf(table: Table, reading: Reading): AsyncGenerator<ArchiveItem, void> {
  let width = 0
  for await (const row of readCsvRows(table))
    if ("fault" in row) yield brokenRowItem(table.name, row)
    else if (width === 0) width = row.cells.length
    else yield* itemsOfRow(table, row.cells, { ...reading, width, name: table.name, line: row.line })
}

interface RowPlace extends Reading {
  readonly name: string
  readonly line: number
  /** Cells of the header. */
  readonly width: number
}

function itemsOfRow({ table, columns }: Table, cells: readonly string[], place: RowPlace): readonly ArchiveItem[] {
  const raw = rawOf(columns, cells)
  const unstorable = unstorablePath(raw)
  if (unstorable !== undefined) return [ignored(place, `${unstorable} has a character that cannot be stored`)]
  if (columns.has("cycle_start") && raw["cycle_start"] === undefined) return [ignored(place, "cycle_start: missing")]
  const cycle = {
    // A blank end alone says so. Without the column, or with an end that cannot be read, it is not known.
    is_open: columns.has("cycle_end") && raw["cycle_end"] === undefined,
    ...(columns.has("time_zone") ? {} : zoneOf(raw, place)),
  }
  const items = READERS[table](raw, cycle, place)
  const isUsed = items.some(({ type }) => type !== "ignored" && type !== "left_out")
  return isUsed && !hasAllCells({ table, columns }, cells, place)
    ? [ignored(place, `it has ${cells.length} cells, the header has ${place.width}`)]
    : items
}

/** A row that was cut off lacks cells, and one with a stray comma has too many. Notes may have commas. */
function hasAllCells(
  { table, columns }: Pick<Layout, "table" | "columns">,
  cells: readonly string[],
  { width }: RowPlace,
): boolean {
  const optional: readonly string[] = TABLES[table].optional
  const least = Math.max(...[...columns].map(([column, index]) => (optional.includes(column) ? 0 : index + 1)))
  return cells.length >= least && (table === "journal" || cells.slice(width).every((cell) => cell.trim() === ""))
}

/** The offset of a row without its zone: that of its cycle in another table, else that of the person at the row's first time. */
function zoneOf(raw: RawRow, { zones, offsets }: Reading): Readonly<Record<string, string>> {
  const ofCycle = zones.get(raw["cycle_start"] ?? "")
  if (ofCycle !== undefined) return { time_zone: ofCycle }
  const { data: local } = localTime.safeParse(raw["cycle_start"] ?? raw["sleep_onset"] ?? raw["workout_start"])
  if (local === undefined) return {}
  const minutes = (local - offsets.instantOf(new Date(local)).getTime()) / MINUTE_MS
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, "0"),
  )
  return { time_zone: `UTC${minutes < 0 ? "-" : "+"}${hours}:${rest}` }
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

type RowReader = (raw: RawRow, cycle: Readonly<Record<string, unknown>>, place: RowPlace) => readonly ArchiveItem[]

/** The items of a row that its schema accepts, else the reason why it is ignored. @param meant what the words of the row mean */
const rowReader =
  <Schema extends z.ZodType>(
    schema: Schema,
    read: (row: z.infer<Schema>, raw: RawRow, place: RowPlace) => readonly ArchiveItem[],
    meant: (raw: RawRow, place: RowPlace) => Readonly<Record<string, boolean | undefined>> = () => ({}),
  ): RowReader =>
  (raw, cycle, place) => {
    const usable = usableOf(schema, { ...raw, ...cycle, ...meant(raw, place) }, ESSENTIAL)
    if (usable instanceof z.ZodError) return [ignored(place, reasonsOf(usable))]
    return [...leftOutItems(place.name, usable.leftOut), ...read(usable.value, raw, place)]
  }

/** An answer that is not read would be an unanswered question. */
const ESSENTIAL = ["answer"]

const ignored = ({ name, line }: RowPlace, reason: string): ArchiveItem => ({
  type: "ignored",
  reason: `${name}, line ${line}: ${reason}`,
})

const itemsOfRecord = (archived: ArchivedRecord, { name, line }: RowPlace): ArchiveItem[] =>
  recordItems(archived, `${name}, line ${line}`, WHOOP_PLAUSIBLE)

const READERS: Readonly<Record<TableName, RowReader>> = {
  cycles: rowReader(CycleRowSchema, (row, raw, place) => {
    const recovery = normalizeRecoveryRow(row, raw)
    const sleepRow = sleepOfCycle(row)
    const sleep = sleepRow && normalizeSleepRow(sleepRow, sleepRawOf(raw))
    return [
      ...itemsOfRecord(normalizeCycleRow(row, raw), place),
      ...(recovery ? itemsOfRecord(recovery, place) : []),
      ...(sleep && !place.sleepIds.has(sleep.record.providerId) ? itemsOfRecord(sleep, place) : []),
    ]
  }),
  sleeps: rowReader(
    SleepRowSchema,
    (row, raw, place) => {
      const sleep = normalizeSleepRow(row, { ...raw, nap: String(row.nap) })
      place.sleepIds.add(sleep.record.providerId)
      return itemsOfRecord(sleep, place)
    },
    (raw, { words }) => ({ nap: (words.areKnown ? yesOrNo(raw["nap"] ?? "") : undefined) ?? beginsLater(raw) }),
  ),
  workouts: rowReader(WorkoutRowSchema, (row, raw, place) => itemsOfRecord(normalizeWorkoutRow(row, raw), place)),
  journal: (raw, cycle, place) => {
    const { words, name } = place
    const answer = raw["answer"] === undefined ? undefined : yesOrNo(raw["answer"])
    if (!words.areKnown) return [{ type: "ignored", reason: `${name}: ${UNKNOWN_WORDS}` }]
    if (raw["answer"] !== undefined && answer === undefined) return [ignored(place, "answer: neither yes nor no")]
    return readAnswer(raw, cycle, place)
  },
}

const UNKNOWN_WORDS = "answers in words of which it is not known which one is yes and which one is no"

const readAnswer = rowReader(
  JournalRowSchema,
  (row, _, place) => [answerItem(row, place)],
  (raw) => ({ answer: raw["answer"] === undefined ? undefined : yesOrNo(raw["answer"]) }),
)

/** Rounding. */
const SAME_START_MS = 10 * MINUTE_MS

/** Each cycle begins with its night, and naps are within it. Without a word that says so it tells a nap. */
function beginsLater(raw: RawRow): boolean {
  const { data: start } = localTime.safeParse(raw["cycle_start"])
  const { data: onset } = localTime.safeParse(raw["sleep_onset"])
  return start !== undefined && onset !== undefined && onset - start > SAME_START_MS
}

function answerItem(row: JournalRow, place: RowPlace): ArchiveItem {
  const cycleStartedAt = new Date(row.cycle_start - row.time_zone * MINUTE_MS)
  if (!isPlausibleInstant(cycleStartedAt)) return ignored(place, "cycle_start: not an instant of this century")
  const answer = {
    cycleStartedAt,
    utcOffsetMinutes: row.time_zone,
    question: row.question,
    answer: row.answer ?? null,
    ...factorOf(row.question),
  }
  return { type: "journal", answer, place: `${place.name}, line ${place.line}` }
}

const OF_CYCLE: ReadonlySet<string> = new Set(
  "recovery resting_heart_rate hrv skin_temp spo2 strain calories max_heart_rate average_heart_rate".split(" "),
)

/** The columns that the table of sleeps has too, so that both tables give the same record. */
const sleepRawOf = (raw: RawRow): Json => ({
  ...Object.fromEntries(Object.entries(raw).filter(([column]) => !OF_CYCLE.has(column))),
  nap: "false",
})

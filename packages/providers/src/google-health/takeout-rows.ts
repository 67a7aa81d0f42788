// The rows of Takeout's files, each in its shape.
import type { z } from "zod"
import { type ArchiveItem, fileItems, UnreadableFile } from "../archive/archive-items.ts"
import { brokenRowItem, readCsvRows } from "../archive/csv-rows.ts"
import { columnsNote } from "../archive/file-notes.ts"
import { readJsonRows, usableRow } from "../archive/json-entries.ts"
import type { UnreadFigures } from "../archive/unread-figures.ts"
import { baseName, type ZipEntry } from "../archive/zip-entries.ts"
import { known } from "../normalize/known.ts"

export const QUIET_ROWS = 10_000

type Row<Value> = ArchiveItem | { readonly row: Value; readonly place: string }

/** Hands each row to a collector. @param add returns why a row is ignored, if it is */
export async function* collect<Value>(
  rows: AsyncIterable<Row<Value>>,
  add: (row: Value) => string | undefined,
): AsyncGenerator<ArchiveItem, void> {
  for await (const each of rows) {
    if ("type" in each) yield each
    else {
      const reason = add(each.row)
      if (reason !== undefined) yield { type: "ignored", reason }
    }
  }
}

/** The rows of a list. A file that is broken has those before. */
export const jsonRows = <Schema extends z.ZodType>(file: ZipEntry, schema: Schema, unread?: UnreadFigures) =>
  fileItems(readJsonRows(file, schema, known({ onRow: unread?.add })))

/** @param unread counts the figures that are not read */
export async function* lists<Schema extends z.ZodType>(
  files: readonly ZipEntry[],
  schema: Schema,
  unread?: UnreadFigures,
) {
  for (const file of files) yield* jsonRows(file, schema, unread)
  if (unread) yield* unread.note()
}

/** More kinds of tables than an archive has. */
const MOST_NOTES = 200

/** What is said of one file is not said again of the others of its kind, or when the file is read again. */
export async function* saidOnce(items: AsyncIterable<ArchiveItem>): AsyncGenerator<ArchiveItem, void> {
  const said = new Set<string>()
  for await (const item of items) {
    if (item.type === "note") {
      if (said.has(item.note)) continue
      if (said.size < MOST_NOTES) said.add(item.note)
    }
    yield item
  }
}

export async function* tables<Schema extends z.ZodObject>(files: readonly ZipEntry[], schema: Schema) {
  const columns = Object.keys(schema.shape).map((column) => [column, [column]] as const)
  for (const file of files) yield* readTable(file, columns, schema)
}

/** Each field with the spellings of its column. The first field has to be there. */
export type Columns = readonly (readonly [field: string, names: readonly string[]])[]

/** The rows of a table. A file with a header alone, or with the words `no data`, has none. One that is broken has those before. */
export const readTable = <Schema extends z.ZodObject>(file: ZipEntry, columns: Columns, schema: Schema) =>
  fileItems(rowsOf(file, columns, schema))

async function* rowsOf<Schema extends z.ZodObject>(
  file: ZipEntry,
  columns: Columns,
  schema: Schema,
): AsyncGenerator<Row<z.infer<Schema>>, void> {
  const name = baseName(file.name)
  let indexes: (readonly [field: string, index: number])[] | undefined
  let unreadColumns: readonly string[] = []
  let count = 0
  for await (const found of readCsvRows({ name, open: file.open })) {
    if ("fault" in found) {
      yield brokenRowItem(name, found)
      continue
    }
    const { line, cells } = found
    if (!indexes) {
      const header = cells.map((cell) => cell.trim().toLowerCase())
      indexes = columns.flatMap(([field, names]) => {
        const index = header.findIndex((cell) => names.includes(cell))
        return index < 0 ? [] : [[field, index] as const]
      })
      const read = new Set(columns.flatMap(([, names]) => names))
      unreadColumns = header.filter((column) => !read.has(column))
      continue
    }
    if (count === 0) {
      const missing = missingOf(columns, indexes, schema)
      if (missing.needed.length > 0) {
        yield { type: "ignored", reason: `${name}: it has no column ${missing.needed.join(" and no column ")}` }
        return
      }
      const unread = columnsNote(file, unreadColumns)
      if (unread !== undefined) yield { type: "note", note: unread }
      if (missing.others.length > 0) yield { type: "note", note: `${name} lacks ${missing.others.join(", ")}` }
    }
    count += 1
    if (count % QUIET_ROWS === 0) yield { type: "reading" }
    const value = Object.fromEntries(indexes.map(([field, index]) => [field, cells[index]]))
    yield* usableRow(schema, value, {
      name,
      place: `${name}, line ${line}`,
      essential: columns.slice(0, 1).map(([first]) => first),
    })
  }
  if (!indexes) throw new UnreadableFile(`${name} is empty`)
}

/** Columns that only some tables have. */
const RARE: ReadonlySet<string> = new Set(["source", "second", "sleep_last_updated", "exercise_last_updated"])

/** Titles that a table lacks: essential ones, without which its rows say nothing, and others. */
function missingOf(
  columns: Columns,
  indexes: readonly (readonly [field: string, index: number])[],
  schema: z.ZodObject,
) {
  const present = new Set(indexes.map(([field]) => field))
  const nothing = schema.safeParse({})
  const required = new Set(nothing.error?.issues.map(({ path }) => path[0]))
  const [first] = columns[0] ?? []
  const missing = columns.filter(([field]) => !present.has(field))
  const isNeeded = (field: string) => field === first || required.has(field)
  return {
    needed: missing.flatMap(([field, names]) => (isNeeded(field) ? [names.join(" or ")] : [])),
    others: missing.flatMap(([field, names]) => (isNeeded(field) || RARE.has(field) ? [] : [names.join(" or ")])),
  }
}

const SOURCE = ["source", ["data source"]] as const
export const valueColumns = (values: readonly string[], time = "timestamp"): Columns => [
  ["value", values],
  ["time", [time]],
  SOURCE,
]

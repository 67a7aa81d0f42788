// The rows of Takeout's files, each in its shape.
import type { z } from "zod"
import type { ArchiveItem } from "../archive/archive-items.ts"
import { readCsvRows } from "../archive/csv-rows.ts"
import { readJsonRows, usableRow } from "../archive/json-entries.ts"
import { baseName, type ZipEntry } from "../archive/zip-entries.ts"

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

export async function* lists<Schema extends z.ZodType>(files: readonly ZipEntry[], schema: Schema) {
  for (const file of files) yield* readJsonRows(file, schema)
}

export async function* tables<Schema extends z.ZodObject>(files: readonly ZipEntry[], schema: Schema) {
  const columns = Object.keys(schema.shape).map((column) => [column, [column]] as const)
  for (const file of files) yield* readTable(file, columns, schema)
}

/** Each field with the spellings of its column. The first field has to be there. */
export type Columns = readonly (readonly [field: string, names: readonly string[]])[]

/** The rows of a table. A file with a header alone, or with the words `no data`, has none. */
export async function* readTable<Schema extends z.ZodObject>(
  file: ZipEntry,
  columns: Columns,
  schema: Schema,
): AsyncGenerator<Row<z.infer<Schema>>, void> {
  const name = baseName(file.name)
  let indexes: (readonly [field: string, index: number])[] | undefined
  let count = 0
  for await (const { line, cells } of readCsvRows(name, await file.open(), { hasLooseQuotes: true })) {
    if (!indexes) {
      const header = cells.map((cell) => cell.trim().toLowerCase())
      indexes = columns.flatMap(([field, names]) => {
        const index = header.findIndex((cell) => names.includes(cell))
        return index < 0 ? [] : [[field, index] as const]
      })
      continue
    }
    if (indexes[0]?.[0] !== columns[0]?.[0]) {
      yield { type: "ignored", reason: `${name}: it has no column ${columns[0]?.[1].join(" or ")}` }
      return
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
}

const SOURCE = ["source", ["data source"]] as const
export const valueColumns = (values: readonly string[], time = "timestamp"): Columns => [
  ["value", values],
  ["time", [time]],
  SOURCE,
]

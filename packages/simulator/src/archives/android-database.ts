// Databases of Android apps, as their exports have them.
import { DatabaseSync } from "node:sqlite"

type Cell = string | number | null | Uint8Array

/** Rows by table. A table has the columns of its first row. */
export type AndroidTables = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>

const typeOf = (column: string): string => (/^_?(?:row_)?id$/i.test(column) ? "integer primary key" : "")
const quoted = (name: string): string => `"${name}"`

/** The file of a database. Tables without rows are left out. */
export function androidDatabase(tables: AndroidTables): Buffer {
  using database = new DatabaseSync(":memory:")
  database.exec("begin")
  for (const [table, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {})
    if (columns.length === 0) continue
    const declared = columns.map((column) => `${quoted(column)} ${typeOf(column)}`).join(", ")
    database.exec(`create table ${quoted(table)} (${declared})`)
    const insert = database.prepare(`insert into ${quoted(table)} values (${columns.map(() => "?").join(", ")})`)
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null))
  }
  database.exec("commit")
  return Buffer.from(database.serialize())
}

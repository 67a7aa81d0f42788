// A database file of an archive: an Android app's SQLite file, read from a private copy that nobody else sees.
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, type SQLOutputValue } from "node:sqlite"
import { withoutControls } from "../normalize/storable-text.ts"
import { type ArchiveItem, UnreadableArchive, UnreadableFile } from "./archive-items.ts"
import { schemaFault } from "./sqlite-schema.ts"
import type { TextFile } from "./text.ts"
import { baseName } from "./zip-entries.ts"

/** @see https://www.sqlite.org/fileformat.html 1.3 */
const MAGIC = "SQLite format 3\0"
const HEADER_BYTES = 100
/** Where the header says that a log beside the file has the newest pages. No export has that log. */
const JOURNAL_BYTES = { at: 18, rollback: Buffer.from([1, 1]) } as const
/** Twenty million rows have two gigabytes. */
const LARGEST_BYTES = 8 * 1_073_741_824
/** Cells are numbers and names. A picture of an app is not read. */
const LONGEST_CELL = 1_048_576
const EXPORT_AGAIN = { nextStep: "export it again and upload the new file" }

export const isSqlite = (head: Buffer): boolean => head.toString("latin1", 0, MAGIC.length) === MAGIC

/** Whether a file of an archive is a database, by its first bytes. */
export async function isDatabaseFile({ open: openFile }: TextFile): Promise<boolean> {
  for await (const piece of await openFile()) return isSqlite(piece)
  return false
}

/** A row by the names of its columns. A column that the table has not is missing. */
export type SqliteRow = Readonly<Record<string, SQLOutputValue>>

/** A finite number of a row. Undefined for none, and for text in its place. */
export function numberIn(row: SqliteRow, column: string): number | undefined {
  const value = row[column]
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** A text of a row. Undefined for none. */
export function textIn(row: SqliteRow, column: string): string | undefined {
  const value = row[column]
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}

/** Names are compared without case and underscores: `SpeedRecordTable` is `speed_record_table`. */
const plain = (name: string): string => name.toLowerCase().replaceAll("_", "")
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

interface Table {
  readonly name: string
  /** Real names by their plain ones. */
  readonly columns: ReadonlyMap<string, string>
}

/** Text in a column of numbers is nothing. As a real number, an integer of any size can be read. */
const numberOf = (alias: string, table: Table | undefined, column: string): string =>
  cellOf(alias, table, column, (cell) => `iif(typeof(${cell}) in ('integer', 'real'), cast(${cell} as real), null)`)
const textOf = (alias: string, table: Table | undefined, column: string): string =>
  cellOf(alias, table, column, (cell) => `iif(typeof(${cell}) = 'text', ${cell}, null)`)

function cellOf(alias: string, table: Table | undefined, column: string, read: (cell: string) => string): string {
  const name = table?.columns.get(plain(column))
  return name === undefined ? "null" : read(`${alias}.${quoted(name)}`)
}

interface ReadOptions {
  readonly numbers: readonly string[]
  readonly texts?: readonly string[]
  /** A column of numbers, smallest first. SQLite sorts on the disk. */
  readonly orderBy?: string
  /** A table whose `row_id` this one has as `parent_key`, and the columns of it that are read as `parent_...`. */
  readonly parent?: { readonly table: string; readonly numbers: readonly string[] }
}

/** Opens a copy of a database file. @throws {UnreadableArchive} */
export async function openSqlite(file: TextFile): Promise<SqliteFile> {
  const name = baseName(file.name)
  const folder = await mkdtemp(join(tmpdir(), "restwell-archive-")).catch((cause: unknown) => {
    throw new UnreadableArchive(`the server has no folder for a copy of ${name}`, {
      nextStep: "ask the operator to make the folder for temporary files writable, then upload it again",
      cause,
    })
  })
  try {
    const path = join(folder, "database")
    await copyTo(path, name, file)
    const fault = await schemaFault(path)
    if (fault !== undefined) throw new UnreadableFile(`${name} ${fault}`, EXPORT_AGAIN)
    return readable(name, () => new SqliteFile(name, path))
  } finally {
    // The open file stays readable without a name, and goes with its process.
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyTo(path: string, name: string, file: TextFile): Promise<void> {
  await using copy = await open(path, "wx", 0o600)
  let bytes = 0
  try {
    for await (const piece of await file.open()) {
      bytes += piece.length
      if (bytes > LARGEST_BYTES)
        throw new UnreadableArchive(`${name} has more than ${LARGEST_BYTES / 1_073_741_824} GB`, EXPORT_AGAIN)
      await copy.writeFile(piece)
    }
    await copy.write(JOURNAL_BYTES.rollback, 0, JOURNAL_BYTES.rollback.length, JOURNAL_BYTES.at)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOSPC")) throw cause
    throw new UnreadableArchive(`the server has no space for a copy of ${name}`, {
      nextStep: "ask the operator to free some in the folder for temporary files, then upload it again",
      cause,
    })
  }
  await using whole = await open(path, "r")
  const { buffer: head } = await whole.read({ buffer: Buffer.alloc(HEADER_BYTES), position: 0 })
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  if (bytes < HEADER_BYTES || bytes < pageBytes * head.readUInt32BE(28))
    throw new UnreadableFile(`${name} ends before its last page`, EXPORT_AGAIN)
}

/** SQLite's own errors are faults of the file. */
function readable<Value>(name: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_SQLITE_ERROR")) throw cause
    throw new UnreadableFile(`${name} is damaged: ${cause.message}`, { ...EXPORT_AGAIN, cause })
  }
}

/** A database that is read row by row. Tables and columns may be missing. Views, virtual tables and computed columns are not read. */
export class SqliteFile implements Disposable {
  readonly name: string
  readonly #database: DatabaseSync
  /** Of two tables whose plain names are equal, the last one is read. */
  readonly #tables: ReadonlyMap<string, Table>
  readonly #names: readonly string[]
  #rowsToRead = 0
  #rowsRead = 0

  /** @throws an error of SQLite */
  constructor(name: string, path: string) {
    this.name = name
    this.#database = new DatabaseSync(path, { readOnly: true, defensive: true, limits: { length: LONGEST_CELL } })
    // A file whose pages refer to each other in a circle would be read for ever.
    this.#database.exec("pragma trusted_schema = off; pragma ignore_check_constraints = on")
    const [check] = this.#database.prepare("pragma quick_check(1)").all()
    if (check?.["quick_check"] !== "ok") throw new UnreadableFile(`${name} is damaged`, EXPORT_AGAIN)
    const found = this.#database.prepare("select name from sqlite_schema where type = 'table' and rootpage > 0").all()
    this.#names = found.flatMap((row) => textIn(row, "name") ?? [])
    this.#tables = new Map(this.#names.map((table) => [plain(table), { name: table, columns: this.#columnsOf(table) }]))
  }

  /** Names of all tables, as the file has them. */
  get tables(): readonly string[] {
    return this.#names
  }

  /** Begins to count the rows that are read. @param tables that will be read, each as often as it will be */
  expectRowsOf(tables: readonly string[]): void {
    this.#rowsRead = 0
    this.#rowsToRead = tables.reduce((sum, table) => sum + this.count(this.#tables.get(plain(table))?.name), 0)
  }

  /** Fraction of the expected rows that were read, 0 to 1. */
  get progress(): number {
    return this.#rowsToRead === 0 ? 0 : Math.min(1, this.#rowsRead / this.#rowsToRead)
  }

  /** Whether a table of this very name is the one that is read by it. */
  isOwnName(table: string): boolean {
    return this.#tables.get(plain(table))?.name === table
  }

  has(table: string): boolean {
    return this.#tables.has(plain(table))
  }

  /** Names of a table's columns, as the file has them. */
  columns(table: string): readonly string[] {
    return [...(this.#tables.get(plain(table))?.columns.values() ?? [])]
  }

  /** Number of rows. @param table as the file has it */
  count(table: string | undefined): number {
    if (table === undefined) return 0
    return readable(this.name, () => {
      const row = this.#database.prepare(`select count(*) as rows from ${quoted(table)}`).get()
      return row && typeof row["rows"] === "number" ? row["rows"] : 0
    })
  }

  /** Streams a table's rows, none without the table. @throws {UnreadableFile} */
  *rows(table: string, { numbers, texts = [], orderBy, parent }: ReadOptions): Generator<SqliteRow, void> {
    const found = this.#tables.get(plain(table))
    if (!found) return
    const above = parent && this.#tables.get(plain(parent.table))
    const [key, id] = [found.columns.get("parentkey"), above?.columns.get("rowid")]
    const isJoined = above !== undefined && key !== undefined && id !== undefined
    const columns = [
      ...numbers.map((column) => `${numberOf("own", found, column)} as ${quoted(column)}`),
      ...texts.map((column) => `${textOf("own", found, column)} as ${quoted(column)}`),
      ...(parent?.numbers ?? []).map(
        (column) => `${numberOf("above", isJoined ? above : undefined, column)} as ${quoted(`parent_${column}`)}`,
      ),
    ]
    const join = isJoined ? ` left join ${quoted(above.name)} as above on above.${quoted(id)} = own.${quoted(key)}` : ""
    const order = orderBy === undefined ? "" : ` order by ${numberOf("own", found, orderBy)}`
    const query = `select ${columns.join(", ")} from ${quoted(found.name)} as own${join}${order}`
    const statement = readable(this.name, () => this.#database.prepare(query))
    const rows = readable(this.name, () => statement.iterate())
    for (;;) {
      const next = readable(this.name, () => rows.next())
      if (next.done) return
      this.#rowsRead += 1
      yield next.value
    }
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }

  #columnsOf(table: string): ReadonlyMap<string, string> {
    const rows = this.#database.prepare(`pragma table_xinfo(${quoted(table)})`).all()
    return new Map(
      rows.flatMap((row) => {
        const column = textIn(row, "name")
        return column === undefined || row["hidden"] !== 0 ? [] : [[plain(column), column]]
      }),
    )
  }
}

/** Tables that a note lists. */
const MOST_TABLES = 60

/** Names the tables with rows that are not read. @param pattern of the tables that may be of interest @param read names of those that are read */
export function* unreadTables(
  database: SqliteFile,
  pattern: RegExp,
  read: readonly string[],
): Generator<ArchiveItem, void> {
  const known = new Set(read.map(plain))
  const unread = database.tables
    .filter((table) => pattern.test(table) && !(known.has(plain(table)) && database.isOwnName(table)))
    .map((table) => ({ table, count: database.count(table) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
  if (unread.length === 0) return
  const listed = unread
    .slice(0, MOST_TABLES)
    .map(({ table, count }) => `${withoutControls(table)} ${count.toLocaleString("en")}`)
  yield { type: "note", note: `Rows of tables that Restwell does not read: ${listed.join(", ")}` }
}

// The tables of an archive: the CSV files of a zip file, or one file that is a table itself.
import { type ArchiveFile, UnreadableArchive } from "./archive-items.ts"
import { type CsvFormat, type CsvRow, readCsvRows } from "./csv-rows.ts"
import { isHidden, piecesOf } from "./zip-entries.ts"

/** A file of an archive that may be a table. */
export interface TableFile {
  readonly name: string
  readonly open: () => Promise<AsyncIterable<Buffer>>
}

const SENT_BY_VENDOR = "upload the zip file as the vendor sent it"

/** Returns a file that is a table itself. */
export const tableFileOf = (file: ArchiveFile): TableFile => ({ name: file.name, open: async () => piecesOf(file) })

/** Returns the tables of a zip file. @throws {UnreadableArchive} */
export function tableFilesOf(file: ArchiveFile, entries: readonly TableFile[]): readonly TableFile[] {
  if (entries.some(({ name }) => name === "xl/workbook.xml"))
    throw new UnreadableArchive(`${file.name} was saved by a spreadsheet program, ${SENT_BY_VENDOR}`)
  const tables = entries.filter(({ name }) => /\.csv$/i.test(name) && !isHidden(name))
  if (tables.length === 0) throw new UnreadableArchive(`${file.name} has no table (.csv), ${SENT_BY_VENDOR}`)
  return tables
}

/** Returns the first rows of a table. Quotation marks may be anywhere in them. @throws {UnreadableArchive} */
export async function firstRowsOf({ name, open }: TableFile, count: number, format?: CsvFormat): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of readCsvRows(name, await open(), { ...format, hasLooseQuotes: true })) {
    rows.push(row)
    if (rows.length >= count) break
  }
  if (rows[0]?.cells.some((cell) => cell.includes("\0")))
    throw new UnreadableArchive(`${name}, line 1: neither UTF-8 nor UTF-16 with a byte order mark`)
  return rows
}

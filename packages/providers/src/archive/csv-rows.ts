import { isUtf8 } from "node:buffer"
import { pipeline, Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { z } from "zod"
import { type ArchiveFile, UnreadableArchive } from "./archive-items.ts"
import { isHidden, piecesOf } from "./zip-entries.ts"

// Reads a table of separated values (RFC 4180) row by row.

/** A row longer than this is a quote that was never closed. */
const LONGEST_ROW = 1_048_576

/** Tables have at most a few dozen columns. Notes may have commas too. */
const MOST_COLUMNS = 1_000

/** A row with the line it begins on. The first line of a file is 1. */
interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvFormat {
  /** @default "," */
  readonly delimiter?: "," | ";"
  /** True for cells that may have quotation marks inside without being quoted, such as JSON. @default false */
  readonly hasLooseQuotes?: boolean
  /** Columns whose cells are read. Others are empty, which saves the memory of long series. @default all */
  readonly reads?: (index: number) => boolean
}

const ParsedRowSchema = z.object({
  record: z.array(z.string()),
  info: z.object({ lines: z.number(), empty_lines: z.number() }),
})

/**
 * Streams the rows of a table in UTF-8, or in UTF-16 with a byte order mark.
 * @throws {UnreadableArchive} that names file and line
 */
export async function* readCsvRows(
  name: string,
  content: AsyncIterable<Buffer>,
  { delimiter = ",", hasLooseQuotes = false, reads }: CsvFormat = {},
): AsyncGenerator<CsvRow, void> {
  const parser = parse({
    info: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: hasLooseQuotes,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
    // It stops the parser within a row: a million empty cells take 700 MB.
    cast: (cell, { index, records, lines }) => {
      if (index >= MOST_COLUMNS)
        throw new UnreadableArchive(`${name}, line ${lines}: this row has more than ${MOST_COLUMNS} columns`)
      return reads === undefined || records === 0 || reads(index) ? cell : ""
    },
  })
  let line = 1
  let emptyLines = 0
  try {
    // The iteration below throws what the pipeline fails with.
    pipeline(Readable.from(textOf(name, content)), parser, () => {})
    for await (const parsed of parser) {
      const { record, info } = ParsedRowSchema.parse(parsed)
      // Empty lines before a row are left out.
      yield { line: line + info.empty_lines - emptyLines, cells: record }
      emptyLines = info.empty_lines
      line = info.lines + 1
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableArchive(`${name}, line ${line}: ${FAULTS[error.code] ?? MISPLACED}`, { cause: error })
  } finally {
    parser.destroy()
  }
}

const MISPLACED = "a quotation mark is in the wrong place"
const FAULTS: Readonly<Partial<Record<CsvError["code"], string>>> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is never closed",
  CSV_MAX_RECORD_SIZE: "this row is longer than 1 MB, perhaps because a quotation mark is never closed",
}

const BYTE_ORDER_MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const

/** Decodes a text file. @throws {UnreadableArchive} that names the line whose bytes are no text */
export async function* textOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let line = 1
  const decode = (piece?: Buffer): string => {
    try {
      return decoder?.decode(piece, { stream: piece !== undefined }) ?? ""
    } catch (cause) {
      const at = line + linesBeforeFault(piece, decoder?.encoding)
      throw new UnreadableArchive(`${name}, line ${at}: neither UTF-8 nor UTF-16 with a byte order mark`, { cause })
    }
  }
  for await (const piece of content) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true })
    const text = decode(piece)
    line += text.split("\n").length - 1
    if (text !== "") yield text
  }
  const rest = decode()
  if (rest !== "") yield rest
}

const LINE_FEED = 0x0a

/** Lines of the piece that end before its first byte that is no UTF-8. */
function linesBeforeFault(piece: Buffer | undefined, encoding: string | undefined): number {
  if (!piece || encoding !== "utf-8") return 0
  let lines = 0
  for (let start = 0; start < piece.length; lines += 1) {
    const end = piece.indexOf(LINE_FEED, start)
    // The first line may begin in the middle of a character.
    if (lines > 0 && !isUtf8(piece.subarray(start, end < 0 ? piece.length : end))) return lines
    if (end < 0) return 0
    start = end + 1
  }
  return 0
}

const encodingOf = (start: Buffer): string =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => start[index] === byte))?.[0] ?? "utf-8"

// The tables of an archive: the CSV files of a zip file, or one file that is a table itself.

/** A file of an archive that may be a table. */
export interface TableFile {
  readonly name: string
  readonly open: () => Promise<AsyncIterable<Buffer>>
}

const SENT_BY_VENDOR = { nextStep: "upload the zip file as the vendor sent it" }

/** Returns a file that is a table itself. */
export const tableFileOf = (file: ArchiveFile): TableFile => ({ name: file.name, open: async () => piecesOf(file) })

/** Returns the tables of a zip file. @throws {UnreadableArchive} */
export function tableFilesOf(file: ArchiveFile, entries: readonly TableFile[]): readonly TableFile[] {
  if (entries.some(({ name }) => name === "xl/workbook.xml"))
    throw new UnreadableArchive(`${file.name} was saved by a spreadsheet program`, SENT_BY_VENDOR)
  const tables = entries.filter(({ name }) => /\.csv$/i.test(name) && !isHidden(name))
  if (tables.length === 0) throw new UnreadableArchive(`${file.name} has no table (.csv)`, SENT_BY_VENDOR)
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

// Reads a table of comma-separated values (RFC 4180) row by row.
import { pipeline, Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { z } from "zod"
import { UnreadableArchive } from "../contract/archive.ts"

/** A row longer than this is a quote that was never closed. */
const LONGEST_ROW = 1_048_576

/** A row with the line it begins on. The first line of a file is 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

const ParsedRowSchema = z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) })

/**
 * Streams the rows of a table in UTF-8, or in UTF-16 with a byte order mark.
 * @throws {UnreadableArchive} that names file and line
 */
export async function* readCsvRows(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<CsvRow, void> {
  const parser = parse({ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST_ROW })
  let line = 1
  try {
    // The iteration below throws what the pipeline fails with.
    pipeline(Readable.from(textOf(name, content)), parser, () => {})
    for await (const parsed of parser) {
      const { record, info } = ParsedRowSchema.parse(parsed)
      yield { line, cells: record }
      line = info.lines + 1
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const fault = error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE" ? UNCLOSED : MISPLACED
    throw new UnreadableArchive(`${name}, line ${line}: ${fault}`, { cause: error })
  } finally {
    parser.destroy()
  }
}

const UNCLOSED = "a quotation mark is never closed"
const MISPLACED = "a quotation mark is in the wrong place"

const BYTE_ORDER_MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const

async function* textOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const decode = (piece?: Buffer): string => {
    try {
      return decoder?.decode(piece, { stream: piece !== undefined }) ?? ""
    } catch (cause) {
      throw new UnreadableArchive(`${name} is neither UTF-8 nor UTF-16 with a byte order mark`, { cause })
    }
  }
  for await (const piece of content) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true })
    const text = decode(piece)
    if (text.includes("\0")) throw new UnreadableArchive(`${name} is no text file: it has a NUL character`)
    if (text !== "") yield text
  }
  const rest = decode()
  if (rest !== "") yield rest
}

const encodingOf = (start: Buffer): string =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => start[index] === byte))?.[0] ?? "utf-8"

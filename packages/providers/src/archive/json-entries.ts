// Reads a large JSON file entry by entry, so that nobody holds it in memory as a whole.
import { JSONParser, TokenType } from "@streamparser/json"
import { z } from "zod"
import { reasonsOf } from "../normalize/read-records.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import { type ArchiveItem, leftOutItems, UnreadableFile } from "./archive-items.ts"
import type { TextFile } from "./text.ts"
import { baseName } from "./zip-entries.ts"

const LINE_FEED = 0x0a
const MB = 1_048_576
/** Archives have a few levels. Deeper ones take the parser long, and are made to. */
const MOST_LEVELS = 200
/** Some files have long parts of which nothing is read. Pieces have 64 KB. */
const QUIET_PIECES = 64

export interface JsonFormat {
  /** In the notation of the parser: `$.records.*`. */
  readonly paths: string[]
  /** An entry is in memory as a whole, and takes up to 100 times its size there. */
  readonly longestEntryMb: number
}

export interface JsonEntry {
  readonly value: unknown
  readonly key: string | number | undefined
  /** Key of the outermost list or object that it is in. */
  readonly list: string
  /** The first line of a file is 1. */
  readonly line: number
}

/**
 * Streams the entries at some paths. Undefined shows that reading goes on.
 * @throws {UnreadableFile} that names file and line
 */
export async function* readJsonEntries(
  name: string,
  content: AsyncIterable<Buffer>,
  { paths, longestEntryMb }: JsonFormat,
): AsyncGenerator<JsonEntry | undefined, void> {
  const parser = new JSONParser({ paths, keepStack: false })
  let [line, pieces, bytesOfEntry, levels] = [1, 0, 0, 0]
  let found: JsonEntry[] = []
  parser.onValue = ({ value, key, stack }) => {
    bytesOfEntry = 0
    found.push({ value, key, list: String(stack[1]?.key ?? ""), line })
  }
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) levels += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) levels -= 1
    if (levels > MOST_LEVELS) throw new UnreadableFile(`${name}, line ${line}: more than ${MOST_LEVELS} levels`)
  }
  const read = (piece: Buffer): void => {
    for (const part of linesOf(piece)) {
      bytesOfEntry += part.length
      parse(parser, part, `${name}, line ${line}`)
      if (bytesOfEntry > longestEntryMb * MB)
        throw new UnreadableFile(`${name}, line ${line}: an entry is longer than ${longestEntryMb} MB`)
      if (part.at(-1) === LINE_FEED) line += 1
    }
  }
  for await (const piece of content) {
    try {
      read(piece)
    } finally {
      // What is before a fault counts.
      yield* found
      found = []
    }
    pieces += 1
    if (pieces % QUIET_PIECES === 0) yield undefined
  }
  if (pieces === 0) throw new UnreadableFile(`${name} is empty`)
  if (!parser.isEnded) throw new UnreadableFile(`${name}, line ${line}: the file ends too early`)
}

function parse(parser: JSONParser, part: Buffer, place: string): void {
  try {
    parser.write(part)
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause
    throw new UnreadableFile(`${place}: this is no valid JSON`, { cause })
  }
}

/** A piece cut after each line feed. */
function linesOf(piece: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < piece.length; ) {
    const end = piece.indexOf(LINE_FEED, start)
    const next = end < 0 ? piece.length : end + 1
    lines.push(piece.subarray(start, next))
    start = next
  }
  return lines
}

/** Rows of vendors' archives have a few kilobytes. The longest are nights with all their stages. */
const LONGEST_ROW_MB = 1

/** A row of a file, and the file with the number of its entry. */
export interface JsonRow<Row> {
  readonly row: Row
  readonly place: string
}

interface RowPlace {
  /** Of the file. */
  readonly name: string
  readonly place: string
  /** Fields that the row is about. */
  readonly essential?: readonly string[]
}

/** Many files have a name with dates. */
const DATES = /\d{4}-\d\d-\d\d/g

/** A row as far as it can be used and what was left out of it, or why it is ignored. */
export function usableRow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { name, place, essential }: RowPlace,
): (ArchiveItem | JsonRow<z.infer<Schema>>)[] {
  const usable = usableOf(schema, value, essential)
  if (usable instanceof z.ZodError) return [{ type: "ignored", reason: `${place}: ${reasonsOf(usable)}` }]
  return [...leftOutItems(name.replaceAll(DATES, "*"), usable.leftOut), { row: usable.value, place }]
}

interface RowOptions {
  /** Where the rows are. @default those of a list */
  readonly paths?: string[]
  /** Gets each row as it is written. @default none */
  readonly onRow?: (row: unknown) => void
}

/** Streams the rows of a file, and a reason for each one of another shape. @throws {UnreadableFile} */
export async function* readJsonRows<Schema extends z.ZodType>(
  file: TextFile,
  schema: Schema,
  { paths = ["$.*"], onRow }: RowOptions = {},
): AsyncGenerator<ArchiveItem | JsonRow<z.infer<Schema>>, void> {
  const name = baseName(file.name)
  let count = 0
  for await (const entry of readJsonEntries(name, await file.open(), { paths, longestEntryMb: LONGEST_ROW_MB })) {
    if (entry === undefined) {
      yield { type: "reading" }
      continue
    }
    count += 1
    onRow?.(entry.value)
    const place = `${name}, entry ${count}`
    yield* usableRow(schema, entry.value, { name, place })
  }
}

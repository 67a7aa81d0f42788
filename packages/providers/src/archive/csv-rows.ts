import { type IgnoredItem, UnreadableFile } from "./archive-items.ts"
import { ownText, type TextFile, type TextHead, textOf } from "./text.ts"

// Reads a table of separated values (RFC 4180) row by row. A quotation mark within a cell needs no other one beside it, because real
// files have stray ones and cells of JSON. A row whose quotation mark is never closed is given with its fault, and the next line goes on.

/** A longer row is a quotation mark that was never closed. */
const LONGEST_ROW = 1_048_576
/** Tables have at most a few dozen columns. Notes may have commas too. A million empty cells take 700 MB. */
const MOST_COLUMNS = 1_000
/** Rows of a file whose quotation marks are broken. */
const MOST_BROKEN = 1_000

/** A row with the line it begins on. The first line of a file is 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** A row that cannot be told from those after it. */
export interface BrokenRow {
  readonly line: number
  readonly fault: string
}

export type Delimiter = "," | ";"

export interface CsvFormat {
  /** @default "," */
  readonly delimiter?: Delimiter
  /** Columns whose cells are read. Others are empty, which saves the memory of long series. @default all */
  readonly reads?: (index: number) => boolean
  /** A row with more columns is refused. @default 1000 */
  readonly mostColumns?: number
}

/** What the report says of a row that cannot be told from those after it. */
export function brokenRowItem(name: string, { line, fault }: BrokenRow): IgnoredItem {
  const reason = `${name}, line ${line}: ${fault}`
  return { type: "ignored", reason, fault: new UnreadableFile(reason) }
}

/**
 * Streams the rows of a table in UTF-8, or in UTF-16 with a byte order mark.
 * @throws {UnreadableFile} that names file and line
 */
export async function* readCsvRows(
  { name, open }: TextFile,
  format: CsvFormat = {},
): AsyncGenerator<CsvRow | BrokenRow, void> {
  const rows = new RowReader(name, format)
  for await (const text of textOf(name, await open())) yield* rows.read(text, false)
  yield* rows.read("", true)
}

/** Returns the first rows of a text that may end within a row. @throws {UnreadableFile} */
export function firstRowsIn(
  { name, text, isWhole }: TextHead,
  { delimiter, count }: { readonly delimiter: Delimiter; readonly count: number },
): readonly CsvRow[] {
  const rows: CsvRow[] = []
  for (const row of new RowReader(name, { delimiter }).read(text, isWhole)) {
    if ("cells" in row) rows.push(row)
    if (rows.length >= count) break
  }
  if (rows.length === 0 && !isWhole) throw new UnreadableFile(`${name}, line 1: ${TOO_LONG}`)
  return rows
}

const TOO_LONG = "this row is longer than 1 MB, perhaps because a quotation mark is never closed"

type FoundRow = { readonly cells: string[]; readonly end: number } | "open" | "incomplete"

class RowReader {
  readonly #name: string
  readonly #delimiter: Delimiter
  readonly #reads: CsvFormat["reads"]
  readonly #mostColumns: number
  #text = ""
  #line = 1
  /** Cells of the header. */
  #width = 0
  #broken = 0
  /** Some old programs end lines by a carriage return alone. */
  #hasOldEnds: boolean | undefined

  constructor(name: string, { delimiter = ",", reads, mostColumns = MOST_COLUMNS }: CsvFormat) {
    this.#name = name
    this.#delimiter = delimiter
    this.#mostColumns = mostColumns
    this.#reads = reads
  }

  *read(piece: string, isLast: boolean): Generator<CsvRow | BrokenRow, void> {
    if (piece !== "") this.#hasOldEnds ??= piece.includes("\r") && !piece.includes("\n")
    const text = this.#text + (this.#hasOldEnds ? piece.replaceAll("\r", "\n") : piece)
    let start = 0
    while (start < text.length) {
      const row = this.#rowAt(text, start, isLast)
      if (row === "incomplete" || row === "open") {
        const isTooLong = text.length - start > LONGEST_ROW
        if (!isLast && !isTooLong) break
        if (row === "incomplete") throw this.#fault(TOO_LONG)
      }
      if (typeof row === "string" || this.#hasSwallowed(row.cells)) {
        yield this.#brokenRow()
        start = afterLine(text, start)
        this.#line += 1
        continue
      }
      if (row.cells.length > 1 || row.cells[0] !== "") {
        if (this.#width === 0) this.#width = row.cells.length
        yield { line: this.#line, cells: row.cells }
      }
      this.#line += lineEndsIn(text, start, row.end)
      start = row.end
    }
    this.#text = text.slice(start)
  }

  /** Without a header nothing of the file can be read. */
  #brokenRow(): BrokenRow {
    const fault = "a quotation mark is never closed"
    this.#broken += 1
    if (this.#width === 0) throw this.#fault(fault)
    if (this.#broken > MOST_BROKEN) throw this.#fault(`more than ${MOST_BROKEN} rows whose quotation marks are broken`)
    return { line: this.#line, fault }
  }

  #fault(fault: string): UnreadableFile {
    return new UnreadableFile(`${this.#name}, line ${this.#line}: ${fault}`)
  }

  /**
   * A cell that has a line with the cells of a whole row has taken that row in. Notes with lines are told by their beginning, which does not
   * look like the first cell of the row.
   */
  #hasSwallowed(cells: readonly string[]): boolean {
    const [first = ""] = cells
    return cells.some(
      (cell, index) =>
        cell.includes("\n") &&
        cell
          .split("\n")
          .slice(1)
          .some((line) => {
            const parts = line.split(this.#delimiter)
            const isAlike = index === 0 || shapeOf(parts[0] ?? "") === shapeOf(first)
            return isAlike && this.#width > 1 && parts.length >= this.#width
          }),
    )
  }

  #rowAt(text: string, start: number, isLast: boolean): FoundRow {
    const lineEnd = text.indexOf("\n", start)
    const isCut = lineEnd < 0 && !isLast
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd)
    if (line.includes('"')) return this.#quotedRowAt(text, start, isLast)
    const cells = withoutReturn(line).split(this.#delimiter, this.#mostColumns + 1)
    this.#refuseMany(cells.length)
    if (isCut) return "incomplete"
    return { cells: cells.map((cell, index) => this.#kept(cell, index)), end: lineEnd < 0 ? text.length : lineEnd + 1 }
  }

  #quotedRowAt(text: string, start: number, isLast: boolean): FoundRow {
    const cells: string[] = []
    for (let at = start; ; ) {
      const cell = text[at] === '"' ? quotedCellAt(text, at, this.#delimiter) : plainCellAt(text, at, this.#delimiter)
      if (cell === undefined) return "open"
      // What follows may still change the meaning of a quotation mark at the end.
      if (!isLast && cell.end >= text.length) return text[at] === '"' ? "open" : "incomplete"
      cells.push(this.#kept(cell.value, cells.length))
      this.#refuseMany(cells.length)
      if (text[cell.end] !== this.#delimiter) return { cells, end: cell.end + 1 }
      at = cell.end + 1
    }
  }

  #kept(cell: string, index: number): string {
    return this.#width > 0 && this.#reads?.(index) === false ? "" : ownText(cell)
  }

  #refuseMany(count: number): void {
    if (count > this.#mostColumns) throw this.#fault(`this row has more than ${this.#mostColumns} columns`)
  }
}

interface FoundCell {
  readonly value: string
  /** Index of the delimiter, or of the line feed. */
  readonly end: number
}

/** Undefined if its quotation mark is not closed. */
function quotedCellAt(text: string, start: number, delimiter: Delimiter): FoundCell | undefined {
  let value = ""
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return undefined
    const next = text[quote + 1]
    const isReturn = next === "\r" && (text[quote + 2] === "\n" || quote + 2 >= text.length)
    if (next === undefined || next === delimiter || next === "\n" || isReturn)
      return { value: value + text.slice(from, quote), end: quote + (isReturn ? 2 : 1) }
    // A doubled one stands for one, and a stray one for itself.
    value += text.slice(from, quote + 1)
    from = quote + (next === '"' ? 2 : 1)
  }
}

function plainCellAt(text: string, start: number, delimiter: Delimiter): FoundCell {
  const [atDelimiter, atLine] = [text.indexOf(delimiter, start), text.indexOf("\n", start)]
  const lineEnd = atLine < 0 ? text.length : atLine
  const isLastCell = atDelimiter < 0 || atDelimiter > lineEnd
  const end = isLastCell ? lineEnd : atDelimiter
  const value = text.slice(start, end)
  return { value: isLastCell ? withoutReturn(value) : value, end }
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

function afterLine(text: string, start: number): number {
  const end = text.indexOf("\n", start)
  return end < 0 ? text.length : end + 1
}

function lineEndsIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

/** `2026-11-18 23:00:00` is `x-x-x x:x:x`. */
const shapeOf = (cell: string): string => cell.trim().replaceAll(/[\p{L}\p{N}]+/gu, "x")

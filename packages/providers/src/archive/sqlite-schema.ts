// How large the schema of an SQLite file is, before SQLite reads it: its time grows with the square of the number of tables.
import { type FileHandle, open } from "node:fs/promises"

/** Android's apps have at most some 200 tables with their indexes. */
const MOST_OBJECTS = 4_000
/** Their statements together. */
const MOST_BYTES = 4 * 1_048_576
const MOST_PAGES = 4_000
/** Types of pages, sizes of their headers and where they count their cells. @see https://www.sqlite.org/fileformat.html 1.6 */
const [INTERIOR, LEAF] = [0x05, 0x0d]
const [INTERIOR_HEADER, LEAF_HEADER, CELLS_AT, RIGHT_AT] = [12, 8, 3, 8]
const FILE_HEADER = 100

/** Why SQLite must not open a file. Undefined where it may. The schema is the table whose root is the first page. */
export async function schemaFault(path: string): Promise<string | undefined> {
  await using file = await open(path, "r")
  const { size } = await file.stat()
  const declared = (await readBytes(file, 16, 2)).readUInt16BE(0)
  const pageBytes = declared === 1 ? 65_536 : declared
  if (pageBytes < 512) return "is damaged"
  const waiting = [1]
  let [pages, objects, bytes] = [0, 0, 0]
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    pages += 1
    if (number < 1 || number * pageBytes > size) return "is damaged"
    const page = await readBytes(file, (number - 1) * pageBytes, pageBytes)
    const { children, cells } = contentOf(page, number === 1 ? FILE_HEADER : 0)
    waiting.push(...children)
    objects += cells.length
    bytes += cells.reduce((sum, length) => sum + length, 0)
    if (objects > MOST_OBJECTS || bytes > MOST_BYTES || pages > MOST_PAGES)
      return `has more tables than an export has: ${MOST_OBJECTS} are read`
  }
  return undefined
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer
}

/** The pages below a page, or the sizes of its rows. */
function contentOf(
  page: Buffer,
  at: number,
): { readonly children: readonly number[]; readonly cells: readonly number[] } {
  const type = page.readUInt8(at)
  const header = type === INTERIOR ? INTERIOR_HEADER : LEAF_HEADER
  const most = Math.floor((page.length - at - header) / 2)
  const count = Math.min(page.readUInt16BE(at + CELLS_AT), most)
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(at + header + 2 * index))
  if (type === LEAF) return { children: [], cells: cells.map((cell) => numberAt(page, cell)) }
  if (type !== INTERIOR) return { children: [], cells: [] }
  const within = cells.filter((cell) => cell <= page.length - 4)
  return { children: [...within.map((cell) => page.readUInt32BE(cell)), page.readUInt32BE(at + RIGHT_AT)], cells: [] }
}

/** A number of up to nine bytes, of which each but the last has its highest bit set. */
function numberAt(page: Buffer, at: number): number {
  let number = 0
  for (const byte of page.subarray(at, at + 8)) {
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) return number
  }
  return number
}

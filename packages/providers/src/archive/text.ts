// The text of a file in an archive: its encoding, and its beginning, by which the file is known.
import { isUtf8 } from "node:buffer"
import { type ArchiveFile, UnreadableFile } from "./archive-items.ts"
import { piecesOf } from "./zip-entries.ts"

/** A file of an archive that may be a table. */
export interface TextFile {
  readonly name: string
  readonly open: () => Promise<AsyncIterable<Buffer>>
}

/** Waits for what the beginning of a file says. Undefined for a file that cannot be read, whose fault is noted. */
export type LookAt = <Found>(found: Promise<Found>) => Promise<Found | undefined>

/** @returns how files are looked at for what an upload is. @param faults gets those of files that cannot be read */
export const lookingAt =
  (faults: UnreadableFile[]): LookAt =>
  async (found) => {
    try {
      return await found
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      faults.push(error)
      return undefined
    }
  }

/** Returns a file that was uploaded by itself. */
export const textFileOf = (file: ArchiveFile): TextFile => ({ name: file.name, open: async () => piecesOf(file) })

const BYTE_ORDER_MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const

/** Decodes a text file. @throws {UnreadableFile} that names the line whose bytes are no text */
export async function* textOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let line = 1
  const decode = (piece?: Buffer): string => {
    try {
      return decoder?.decode(piece, { stream: piece !== undefined }) ?? ""
    } catch (cause) {
      const at = line + linesBeforeFault(piece, decoder?.encoding)
      throw new UnreadableFile(`${name}, line ${at}: neither UTF-8 nor UTF-16 with a byte order mark`, { cause })
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

/** Characters at the beginning that say what a file is. */
const HEAD_LENGTH = 1_048_576

/** The beginning of a text file. */
export interface TextHead extends TextFile {
  readonly text: string
  /** False if the file goes on. */
  readonly isWhole: boolean
}

/** Reads the beginning of a file once, for all that look at it. @throws {UnreadableFile} */
export async function headOf({ name, open }: TextFile, length = HEAD_LENGTH): Promise<TextHead> {
  let text = ""
  let isWhole = true
  for await (const piece of textOf(name, await open())) {
    text += piece
    isWhole = text.length < length
    if (!isWhole) break
  }
  if (text.slice(0, text.indexOf("\n") + 1 || text.length).includes("\0"))
    throw new UnreadableFile(`${name}, line 1: neither UTF-8 nor UTF-16 with a byte order mark`)
  return { name, open, text, isWhole }
}

/** Returns a text that does not keep the longer one in memory that it is a part of. V8 copies parts of less than 13 characters anyway. */
export const ownText = (part: string): string => (part.length < LONGEST_COPIED ? part : ` ${part}`.slice(1))
const LONGEST_COPIED = 13

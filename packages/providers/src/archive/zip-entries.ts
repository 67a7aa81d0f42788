// Reads a zip file entry by entry, without unpacking it to a disk.
import { Readable } from "node:stream"
import { crc32 } from "node:zlib"
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl"
import { type ArchiveFile, UnreadableArchive } from "../contract/archive.ts"

/** Tables compress about ten times. A bomb inflates a thousand times and more. */
const LARGEST_RATIO = 200
/** Smaller entries may have any ratio. */
const SMALL_BYTES = 10 * 1_048_576
/** Archives have a handful of entries. */
const MOST_ENTRIES = 10_000
const PIECE_BYTES = 65_536

/** A file inside the archive. */
export interface ZipEntry {
  readonly name: string
  readonly compressedBytes: number
  /** Streams the content. The declared size and the checksum are verified. */
  open(): Promise<AsyncIterable<Buffer>>
}

/**
 * Returns the files of a zip archive. Names that climb out of the archive and bombs are refused.
 * @throws {UnreadableArchive}
 */
export async function readZipEntries(file: ArchiveFile): Promise<ZipEntry[]> {
  try {
    const zip = await fromRandomAccessReaderPromise(new FileReader(file), file.size, { autoClose: false })
    const entries: ZipEntry[] = []
    let unpackedBytes = 0
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= MOST_ENTRIES)
        throw new UnreadableArchive(`${file.name} has more than ${MOST_ENTRIES} files`)
      unpackedBytes += entry.uncompressedSize
      // Entries may share their bytes, so each alone can look harmless.
      if (isBomb(unpackedBytes, file.size))
        throw new UnreadableArchive(`${file.name} would unpack to more than ${LARGEST_RATIO} times its size`)
      if (!entry.fileName.endsWith("/")) entries.push(entryOf(zip, entry))
    }
    return entries
  } catch (error) {
    throw unreadable(file.name, error)
  }
}

const isBomb = (unpackedBytes: number, packedBytes: number): boolean =>
  unpackedBytes > SMALL_BYTES && unpackedBytes > packedBytes * LARGEST_RATIO

function entryOf(zip: ZipFile, entry: Entry): ZipEntry {
  const name = entry.fileName
  if (entry.isEncrypted()) throw new UnreadableArchive(`${name} is encrypted, upload the archive without a password`)
  if (isBomb(entry.uncompressedSize, entry.compressedSize))
    throw new UnreadableArchive(`${name} would unpack to more than ${LARGEST_RATIO} times its size`)
  return {
    name,
    compressedBytes: entry.compressedSize,
    async open() {
      try {
        return contentOf(await zip.openReadStreamPromise(entry), entry)
      } catch (error) {
        throw unreadable(name, error)
      }
    },
  }
}

/** The library verifies the size. The checksum shows that bytes were changed on the way. */
async function* contentOf(stream: Readable, { fileName, crc32: expected }: Entry): AsyncGenerator<Buffer, void> {
  let checksum = 0
  try {
    for await (const piece of stream) {
      const bytes = Buffer.from(piece)
      checksum = crc32(bytes, checksum)
      yield bytes
    }
  } catch (error) {
    throw unreadable(fileName, error)
  }
  if (checksum !== expected) throw new UnreadableArchive(`${fileName} is damaged: its checksum is another one`)
}

/** The library's messages name the fault: a truncated file, a wrong checksum, an invalid relative path. */
function unreadable(name: string, error: unknown): Error {
  if (error instanceof UnreadableArchive) return error
  if (!(error instanceof Error)) return new Error("reading the archive failed", { cause: error })
  const { message } = error
  if (/central directory/i.test(message))
    return new UnreadableArchive(`${name} is no complete zip file, download and upload it again`, { cause: error })
  if (/relative path|absolute path|invalid characters/.test(message))
    return new UnreadableArchive(`${name} has a file name that leads out of the archive`, { cause: error })
  return new UnreadableArchive(`${name} is damaged: ${message}`, { cause: error })
}

class FileReader extends RandomAccessReader {
  readonly #file: ArchiveFile

  constructor(file: ArchiveFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(piecesOf(this.#file, start, end))
  }
}

/** Streams the bytes of a range. @throws {UnreadableArchive} when the file ends before */
export async function* piecesOf(file: ArchiveFile, start = 0, end = file.size): AsyncGenerator<Buffer, void> {
  for (let position = start; position < end; ) {
    const piece = await file.read(position, Math.min(PIECE_BYTES, end - position))
    if (piece.length === 0) throw new UnreadableArchive(`${file.name} ends before its last byte`)
    yield piece
    position += piece.length
  }
}

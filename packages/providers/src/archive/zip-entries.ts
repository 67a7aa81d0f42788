import { Readable } from "node:stream"
import { crc32 } from "node:zlib"
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl"
import { type ArchiveFile, DamagedFile, UnreadableArchive, UnreadableFile } from "./archive-items.ts"

// Reads a zip file entry by entry, without unpacking it to a disk.

/** Tables compress about ten times. A bomb inflates a thousand times and more. */
const LARGEST_RATIO = 200
/** Smaller entries may have any ratio. */
const SMALL_BYTES = 10 * 1_048_576
/** Unpacked files of an archive together. Ten years of one person have a few gigabytes. */
const LARGEST_UNPACKED = 32 * 1_073_741_824
/** Garmin's archives have thousands of files inside a zip file. */
const MOST_ENTRIES = 100_000
/** Bytes of an entry's header, without its name. @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT 4.3.7 */
const HEADER_BYTES = 30
const PIECE_BYTES = 65_536
const GET_AGAIN = { nextStep: "download it again from the vendor, and upload it as it is" }

/** A file inside the archive. */
export interface ZipEntry {
  readonly name: string
  /** As declared. */
  readonly bytes: number
  readonly compressedBytes: number
  /** True for one that cannot be read without a password. */
  readonly isEncrypted: boolean
  /** Streams the content. The declared size and the checksum are verified. */
  open(): Promise<AsyncIterable<Buffer>>
}

/** The name without its folders. */
export const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1)

/** True for the hidden copies that macOS adds to zip files. Some programs write `./` before each name. */
export const isHidden = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.(?!\/))/.test(name)

/** Gadgetbridge's preferences have the keys of devices. */
const HOLDS_KEYS = /(?:^|\/)preferences\/|(?:^|\/)device_(?:[0-9a-f]{2}[^a-z0-9]?){6}\.[^/]*$/i

/** False for hidden copies, and for what nobody but its owner may read: no byte of it is looked at. */
export const mayBeOpened = (name: string): boolean => !isHidden(name) && !HOLDS_KEYS.test(name)

/**
 * Returns the files of a zip archive, in the order of their bytes. Names that climb out of the archive and bombs are refused.
 * @param packedBytes of a file that is compressed itself
 * @throws {UnreadableArchive}
 */
export async function readZipEntries(file: ArchiveFile, packedBytes = file.size): Promise<ZipEntry[]> {
  const reader = new FileReader(file)
  try {
    const zip = await fromRandomAccessReaderPromise(reader, file.size, { autoClose: false })
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= MOST_ENTRIES)
        throw new UnreadableArchive(`${file.name} has more than ${MOST_ENTRIES} files`)
      entries.push(entry)
    }
    entries.sort((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader)
    refuseSharedBytes(file, entries)
    refuseBomb({ name: file.name, size: packedBytes }, entries)
    return entries.filter(({ fileName }) => !fileName.endsWith("/")).map((entry) => entryOf(zip, entry, reader))
  } catch (error) {
    throw reader.failure ?? unreadable(file.name, error)
  }
}

function refuseBomb({ name, size }: Pick<ArchiveFile, "name" | "size">, entries: readonly Entry[]): void {
  const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (isBomb(unpackedBytes, size))
    throw new UnreadableArchive(`${name} would unpack to more than ${LARGEST_RATIO} times its size`)
  if (unpackedBytes > LARGEST_UNPACKED)
    throw new UnreadableArchive(`${name} would unpack to more than ${LARGEST_UNPACKED / 1_073_741_824} GB`)
}

/** In the order of their bytes. Entries that share some are read once each, so a small file could take long. No program writes such a file. */
function refuseSharedBytes({ name }: ArchiveFile, entries: readonly Entry[]): void {
  let end = 0
  for (const { relativeOffsetOfLocalHeader: offset, compressedSize } of entries) {
    if (offset < end) throw new UnreadableArchive(`${name} has files that share their bytes`, GET_AGAIN)
    end = offset + HEADER_BYTES + compressedSize
  }
}

const isBomb = (unpackedBytes: number, packedBytes: number): boolean =>
  unpackedBytes > SMALL_BYTES && unpackedBytes > packedBytes * LARGEST_RATIO

function entryOf(zip: ZipFile, entry: Entry, reader: FileReader): ZipEntry {
  const name = entry.fileName
  if (isBomb(entry.uncompressedSize, entry.compressedSize))
    throw new UnreadableArchive(`${name} would unpack to more than ${LARGEST_RATIO} times its size`)
  return {
    name,
    bytes: entry.uncompressedSize,
    compressedBytes: entry.compressedSize,
    isEncrypted: entry.isEncrypted(),
    async open() {
      if (entry.isEncrypted()) throw encrypted({ name })
      const faultOf = (error: unknown) => reader.failure ?? damaged(name, error)
      try {
        return contentOf(await zip.openReadStreamPromise(entry), entry, faultOf)
      } catch (error) {
        throw faultOf(error)
      }
    },
  }
}

export const encrypted = ({ name }: Pick<ZipEntry, "name">): UnreadableArchive =>
  new UnreadableArchive(`${name} is encrypted`, { nextStep: "upload the archive without a password" })

/** The library verifies the size. The checksum shows that bytes were changed on the way. */
async function* contentOf(
  stream: Readable,
  { fileName, crc32: expected }: Entry,
  faultOf: (error: unknown) => unknown,
): AsyncGenerator<Buffer, void> {
  let checksum = 0
  try {
    for await (const piece of stream) {
      const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece)
      checksum = crc32(bytes, checksum)
      yield bytes
    }
  } catch (error) {
    throw faultOf(error)
  }
  if (checksum !== expected) throw new DamagedFile(`${fileName} is damaged: its checksum is another one`)
}

/** What is wrong with one file of the archive. The files beside it may be whole. */
const damaged = (name: string, error: unknown): UnreadableArchive =>
  error instanceof UnreadableArchive
    ? error
    : new DamagedFile(`${name} is damaged: ${error instanceof Error ? error.message : "it cannot be read"}`, {
        cause: error,
      })

/** The library's messages name the fault: a truncated file, a wrong checksum, an invalid relative path. */
function unreadable(name: string, error: unknown): Error {
  if (error instanceof UnreadableArchive) return error
  if (!(error instanceof Error)) return new Error("reading the archive failed", { cause: error })
  const { message } = error
  if (/central directory/i.test(message))
    return new UnreadableFile(`${name} is not a complete zip file`, { ...GET_AGAIN, cause: error })
  if (/relative path|absolute path|invalid characters/.test(message))
    return new UnreadableArchive(`${name} has a file name that leads out of the archive`, { cause: error })
  return new UnreadableArchive(`${name} is damaged: ${message}`, { cause: error })
}

class FileReader extends RandomAccessReader {
  readonly #file: ArchiveFile
  /** Why the upload itself could not be read, as while the database is away. It is no fault of the archive. */
  failure: unknown

  constructor(file: ArchiveFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end))
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer, void> {
    try {
      yield* piecesOf(this.#file, start, end)
    } catch (error) {
      if (!(error instanceof UnreadableArchive)) this.failure ??= error
      throw error
    }
  }

  /** The library's own way makes five streams for each header, of which an archive may have a hundred thousand. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(buffer, offset, length, position).then(
      () => callback(null),
      (error: unknown) => callback(error instanceof Error ? error : new Error("reading failed", { cause: error })),
    )
  }

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    let copied = 0
    for await (const piece of this.#pieces(position, position + length)) copied += piece.copy(buffer, offset + copied)
  }
}

/** Streams the bytes of a range. @throws {UnreadableFile} when the file ends before */
export async function* piecesOf(file: ArchiveFile, start = 0, end = file.size): AsyncGenerator<Buffer, void> {
  for (let position = start; position < end; ) {
    const piece = await file.read(position, Math.min(PIECE_BYTES, end - position))
    if (piece.length === 0) throw new UnreadableFile(`${file.name} ends before its last byte`)
    yield piece
    position += piece.length
  }
}

// A zip file inside a zip file, read at any position as an uploaded one is, without being unpacked to a disk or to memory.

/** The directory of a zip file is at its end. A hundred bytes for each file. */
const KEPT_BYTES = 2 * 1_048_576
/** Reading goes forward: once for the end, once for a long directory, once for the files. */
const MOST_STARTS = 8
const QUIET_BYTES = 16 * 1_048_576

/** Yields undefined while the end of the inner file is looked for, then its files. @throws {UnreadableArchive} */
export async function* readNestedZip(entry: ZipEntry): AsyncGenerator<readonly ZipEntry[] | undefined, void> {
  const ends: Buffer[] = []
  let [size, keptBytes, quietBytes] = [0, 0, 0]
  for await (const piece of await entry.open()) {
    ends.push(piece)
    size += piece.length
    keptBytes += piece.length
    quietBytes += piece.length
    while (keptBytes - (ends[0]?.length ?? 0) >= KEPT_BYTES) keptBytes -= ends.shift()?.length ?? 0
    if (quietBytes < QUIET_BYTES) continue
    quietBytes = 0
    yield undefined
  }
  if (size === 0) throw new UnreadableFile(`${entry.name} is empty`)
  yield await readZipEntries(new InflatedFile(entry, size, Buffer.concat(ends)), entry.compressedBytes)
}

class InflatedFile implements ArchiveFile {
  readonly name: string
  readonly size: number
  readonly #entry: ZipEntry
  readonly #end: Buffer
  #content: AsyncIterator<Buffer> | undefined
  #piece: Buffer = Buffer.alloc(0)
  #position = 0
  #starts = 0

  constructor(entry: ZipEntry, size: number, end: Buffer) {
    this.name = entry.name
    this.size = size
    this.#entry = entry
    this.#end = end
  }

  async read(position: number, length: number): Promise<Buffer> {
    const inEnd = position - (this.size - this.#end.length)
    if (inEnd >= 0) return this.#end.subarray(inEnd, inEnd + length)
    if (!this.#content || position < this.#position) await this.#restart()
    for (;;) {
      const start = position - this.#position
      if (start < this.#piece.length) return this.#piece.subarray(start, start + length)
      const next = await this.#content?.next()
      if (!next || next.done) return Buffer.alloc(0)
      this.#position += this.#piece.length
      this.#piece = next.value
    }
  }

  async #restart(): Promise<void> {
    this.#starts += 1
    if (this.#starts > MOST_STARTS)
      throw new UnreadableArchive(`${this.name} has its files in another order than listed`)
    await this.#content?.return?.()
    const content = await this.#entry.open()
    this.#content = content[Symbol.asyncIterator]()
    this.#piece = Buffer.alloc(0)
    this.#position = 0
  }
}

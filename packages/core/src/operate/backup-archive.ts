/**
 * A backup file is a tar archive, compressed with Zstandard. `zstd -dc FILE | tar x` unpacks it, and `sha256sum -c SHA256SUMS` checks what
 * was unpacked: the last file of the archive has the SHA-256 of all others.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 the tar format
 * @see https://www.rfc-editor.org/rfc/rfc8878 Zstandard
 */

import { hash, webcrypto } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { createZstdDecompress, constants as zlib, zstdCompress } from "node:zlib"
import { Header } from "tar/header"
import { OperatorMessage } from "../base/operator-errors.ts"

/** A backup cannot be restored. The message is one sentence, and nothing was changed. */
export class UnusableBackup extends OperatorMessage {
  override readonly name = "UnusableBackup"
}

/** A file of the archive. */
export interface ArchiveFile {
  readonly name: string
  readonly content: Buffer<ArrayBuffer>
}

export const SUMS = "SHA256SUMS"

/** Tar has everything in blocks of this length. */
const BLOCK_BYTES = 512
/** A file is read into memory as a whole. No backup has a larger one. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024
/** Files that are compressed at a time, on other threads. */
const PARALLEL = 3
const CHUNK_BYTES = 1024 * 1024

const compress = promisify(zstdCompress)
const OPTIONS = { params: { [zlib.ZSTD_c_compressionLevel]: 3, [zlib.ZSTD_c_checksumFlag]: 1 } }

export interface WriteArchiveOptions {
  /** Receives the bytes in their order. */
  readonly write: (bytes: Buffer) => Promise<void>
  /** The time that the files of the archive get. */
  readonly now: Date
}

/** Writes the files and their sums. Each is a Zstandard frame of its own, so that several are compressed at once. */
export async function writeArchive(
  files: AsyncIterable<ArchiveFile>,
  { write, now }: WriteArchiveOptions,
): Promise<void> {
  const frames: Promise<Buffer>[] = []
  const flush = async (most: number): Promise<void> => {
    while (frames.length > most) {
      const oldest = frames.shift()
      if (oldest) await write(await oldest)
    }
  }
  const add = async (blocks: readonly Buffer[]): Promise<void> => {
    const frame = compress(Buffer.concat(blocks), OPTIONS)
    // It is awaited in its turn, which may be after another one's failure.
    frame.catch(() => {})
    frames.push(frame)
    await flush(PARALLEL - 1)
  }
  let sums = ""
  for await (const file of files) {
    const [line] = await Promise.all([sumLine(file), add(tarBlocks(file, now))])
    sums += line
  }
  await add([...tarBlocks({ name: SUMS, content: Buffer.from(sums) }, now), Buffer.alloc(2 * BLOCK_BYTES)])
  await flush(0)
}

/** As `sha256sum` prints it. Another thread computes it, because a part of a table takes many milliseconds. */
async function sumLine({ name, content }: ArchiveFile): Promise<string> {
  const digest = await webcrypto.subtle.digest("SHA-256", content)
  return `${Buffer.from(digest).toString("hex")}  ${name}\n`
}

function tarBlocks({ name, content }: ArchiveFile, mtime: Date): Buffer[] {
  const block = Buffer.alloc(BLOCK_BYTES)
  const header = new Header({ path: name, size: content.length, type: "File", mode: 0o600, uid: 0, gid: 0, mtime })
  if (header.encode(block)) throw new RangeError(`tar has no room for the file ${name}`)
  return [block, content, Buffer.alloc(paddedLength(content.length) - content.length)]
}

const paddedLength = (length: number): number => Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES

export interface ReadOptions {
  /** Receives the part of the file that was read, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
  /** Interrupts the reading. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The files of an archive but the last, against which the others are checked at the end.
 * @returns the SHA-256 of the list of sums, which stands for all of the archive
 * @throws {UnusableBackup} for a file that is something else, ends early, or was changed
 */
export async function* readArchive(path: string, options: ReadOptions = {}): AsyncGenerator<ArchiveFile, string> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new UnusableBackup(`${path} is not a file. Nothing was changed`)
    return yield* readFiles(path, found.size, options)
  } catch (error) {
    throw explain(error, path)
  }
}

async function* readFiles(
  path: string,
  size: number,
  { onProgress, signal }: ReadOptions,
): AsyncGenerator<ArchiveFile, string> {
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const bytes = createZstdDecompress({ chunkSize: CHUNK_BYTES })
  // What fails here ends the bytes with the same error.
  pipeline(source, bytes).catch(() => {})
  using streams = new DisposableStack()
  streams.defer(() => bytes.destroy())
  const take = takeFrom(bytes)
  let sums = ""
  let end: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const block = await take(BLOCK_BYTES)
    if (block.length === 0) break
    const header = readHeader(block)
    // An archive ends with blocks of zeros.
    if (header === undefined) continue
    if (end !== undefined) throw new DamagedArchive(`it goes on after ${SUMS}`)
    const content = (await take(paddedLength(header.size))).subarray(0, header.size)
    onProgress?.(source.bytesRead / size)
    if (header.name === SUMS) end = checkSums(sums, content)
    else {
      const file = { name: header.name, content }
      sums += await sumLine(file)
      yield file
    }
  }
  if (bytes.bytesWritten !== size) throw new DamagedArchive(`nothing can read it from byte ${bytes.bytesWritten} on`)
  if (end === undefined) throw new CutArchive(`it has no ${SUMS}, which is the last file`)
  return end
}

/** The bytes differ from the written ones. The message says where. */
class DamagedArchive extends Error {}
/** The bytes end too early. */
class CutArchive extends Error {}

/** Takes bytes from a stream: as many as asked, or none at its end. */
function takeFrom(stream: AsyncIterable<Buffer>): (length: number) => Promise<Buffer<ArrayBuffer>> {
  const chunks = stream[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  return async (length) => {
    const taken: Buffer[] = [rest]
    let missing = length - rest.length
    while (missing > 0) {
      const next = await chunks.next()
      if (next.done) {
        if (missing === length) return Buffer.alloc(0)
        throw new CutArchive("it ends in the middle of a file")
      }
      taken.push(next.value)
      missing -= next.value.length
    }
    const all = taken.length === 1 ? rest : Buffer.concat(taken)
    rest = all.subarray(length)
    return all.subarray(0, length)
  }
}

/** Undefined for a block of zeros. */
function readHeader(block: Buffer): { readonly name: string; readonly size: number } | undefined {
  const { nullBlock, cksumValid, type, path, size } = decodeHeader(block)
  if (nullBlock) return undefined
  if (!cksumValid || path === undefined || size === undefined)
    throw new DamagedArchive("a file of it has no name or length")
  if (type !== "File" || size > LARGEST_FILE_BYTES)
    throw new DamagedArchive(`${JSON.stringify(path)} is not a file of a backup`)
  return { name: path, size }
}

function decodeHeader(block: Buffer): Header {
  try {
    return new Header(block)
  } catch (cause) {
    throw new DamagedArchive("a file of it has a wrong header", { cause })
  }
}

/** @param sums those of the files that were read */
function checkSums(sums: string, content: Buffer): string {
  const expected = content.toString("latin1")
  if (expected === sums) return hash("sha256", sums)
  const found = sums.split("\n")
  const wrong = expected.split("\n").find((line, index) => line !== found[index])
  throw new DamagedArchive(`${JSON.stringify(wrong?.slice(66))} is not as ${SUMS} says`)
}

/** Says in one sentence what is wrong with the file. */
function explain(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof UnusableBackup) return error
  const code = "code" in error ? String(error.code) : ""
  const unusable = (what: string): UnusableBackup =>
    new UnusableBackup(`${path} ${what}. Nothing was changed`, { cause: error })
  if ("syscall" in error) return unusable(`cannot be read (${code})`)
  if (code === "Z_BUF_ERROR") return unusable("is incomplete: it ends in the middle of the data. Use another copy")
  if (error instanceof CutArchive) return unusable(`is incomplete: ${error.message}. Use another copy`)
  if (error instanceof DamagedArchive) return unusable(`was changed or damaged: ${error.message}. Use another copy`)
  if (code === "ZSTD_error_prefix_unknown") return unusable("is not a backup of Restwell")
  if (code.startsWith("ZSTD_")) return unusable(`was changed or damaged: it cannot be decompressed. Use another copy`)
  return error
}

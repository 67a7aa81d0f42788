// A zip file inside a zip file, read at any position as an uploaded one is, without being unpacked to a disk or to memory.
import { type ArchiveFile, UnreadableArchive } from "./archive-items.ts"
import { readZipEntries, type ZipEntry } from "./zip-entries.ts"

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
  yield await readZipEntries(new InflatedFile(entry, size, Buffer.concat(ends)), entry.compressedBytes)
}

class InflatedFile implements ArchiveFile {
  readonly name: string
  readonly size: number
  readonly #entry: ZipEntry
  readonly #end: Buffer
  #content: AsyncIterator<Buffer> | undefined
  #piece = Buffer.alloc(0)
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
      this.#piece = Buffer.from(next.value)
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

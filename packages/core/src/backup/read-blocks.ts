import { createHash } from "node:crypto"
import { type FileHandle, open } from "node:fs/promises"
import { BLOCK_HEAD_BYTES, checksumOf, decodeContent, decodeHead, KIND, LARGEST_STORED, MAGIC } from "./blocks.ts"
import { UnusableBackup } from "./unusable-backup.ts"

export interface Block {
  readonly kind: number
  /** Decompresses the content. */
  content(): Promise<Buffer>
}

export interface ReadOptions {
  /** Receives the part of the file that was read, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
  /** Interrupts the reading. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The blocks of a backup file but the last, which is checked at the end.
 * @throws {UnusableBackup} for a file that is something else, ends early, or was changed
 */
export async function* readBlocks(path: string, { onProgress, signal }: ReadOptions = {}): AsyncGenerator<Block> {
  await using file = await openBackup(path)
  const found = await file.stat()
  if (!found.isFile()) throw new UnusableBackup(`${path} is not a file. Nothing was changed`)
  const { size } = found
  const reader = createReader(file, path, size)
  const digest = createHash("sha256")
  if (!(await reader.take(Math.min(MAGIC.length, size))).equals(MAGIC.subarray(0, size)) || size === 0)
    throw new UnusableBackup(`${path} is not a backup of Restwell. Nothing was changed`)
  digest.update(MAGIC)
  for (;;) {
    signal?.throwIfAborted()
    const head = await reader.take(BLOCK_HEAD_BYTES)
    const { kind, storedLength, contentLength, checksum } = decodeHead(head)
    if (storedLength > LARGEST_STORED) throw damaged(path, reader.at())
    const stored = await reader.take(storedLength)
    if (checksumOf(head, stored) !== checksum) throw damaged(path, reader.at())
    const content = () => decodeContent(stored, contentLength)
    if (kind === KIND.end) {
      if (!(await content()).equals(digest.digest()) || reader.at() !== size) throw damaged(path, reader.at())
      return
    }
    digest.update(head).update(stored)
    onProgress?.(reader.at() / size)
    yield { kind, content }
  }
}

const openBackup = (path: string): Promise<FileHandle> =>
  open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableBackup(`${path} cannot be read (${error.code}). Nothing was changed`, { cause: error })
  })

export const damaged = (path: string, at: number): UnusableBackup =>
  new UnusableBackup(`${path} was changed or damaged, near byte ${at}: use another copy. Nothing was changed`)

function createReader(file: FileHandle, path: string, size: number) {
  let position = 0
  return {
    at: () => position,
    async take(length: number): Promise<Buffer> {
      if (position + length > size)
        throw new UnusableBackup(
          `${path} is incomplete: it ends after ${size} bytes, in the middle of the data. Use another copy. Nothing was changed`,
        )
      const bytes = Buffer.allocUnsafe(length)
      for (let filled = 0; filled < length; ) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
        if (bytesRead === 0) throw damaged(path, position)
        filled += bytesRead
      }
      position += length
      return bytes
    },
  }
}

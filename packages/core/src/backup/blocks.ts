/**
 * A backup file is sixteen bytes that name the format, then blocks. A block is its kind (1 byte), the length of its content as stored and as
 * it was (4 bytes each, big-endian), a CRC-32 of these nine bytes and the stored content (4 bytes), and the content, compressed with
 * Zstandard. The last block is the SHA-256 of all bytes before it. Every bit of a file is checked by one of them.
 * @see https://www.rfc-editor.org/rfc/rfc8878 Zstandard
 */
import { promisify } from "node:util"
import { crc32, constants as zlib, zstdCompress, zstdDecompress } from "node:zlib"

export const MAGIC = Buffer.from("RESTWELL BACKUP\n")

/** Kinds of blocks, in the order of a file. Each table has its name, its rows, and their number. */
export const KIND = { header: 1, secrets: 2, table: 3, rows: 4, tableEnd: 5, sequences: 6, end: 7 } as const
export type Kind = (typeof KIND)[keyof typeof KIND]

export const BLOCK_HEAD_BYTES = 13
/** Most bytes of a block's content. Larger ones compress no better. */
export const LARGEST_CONTENT = 1024 * 1024
/** Content that does not compress grows by a few bytes. */
export const LARGEST_STORED = LARGEST_CONTENT + 4096

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const OPTIONS = { params: { [zlib.ZSTD_c_compressionLevel]: 3 } }

export async function encodeBlock(kind: Kind, content: Buffer): Promise<Buffer> {
  if (content.length > LARGEST_CONTENT) throw new RangeError(`a block of ${content.length} bytes is too large`)
  const stored = await compress(content, OPTIONS)
  const head = Buffer.alloc(BLOCK_HEAD_BYTES)
  head.writeUInt8(kind, 0)
  head.writeUInt32BE(stored.length, 1)
  head.writeUInt32BE(content.length, 5)
  head.writeUInt32BE(checksumOf(head, stored), 9)
  return Buffer.concat([head, stored])
}

/** The fixed part of a block. */
export interface BlockHead {
  readonly kind: number
  readonly storedLength: number
  readonly contentLength: number
  readonly checksum: number
}

export const decodeHead = (head: Buffer): BlockHead => ({
  kind: head.readUInt8(0),
  storedLength: head.readUInt32BE(1),
  contentLength: head.readUInt32BE(5),
  checksum: head.readUInt32BE(9),
})

/** The CRC-32 of a block's kind, lengths and stored content. */
export const checksumOf = (head: Buffer, stored: Buffer): number => crc32(stored, crc32(head.subarray(0, 9)))

export const decodeContent = (stored: Buffer, contentLength: number): Promise<Buffer> =>
  decompress(stored, { maxOutputLength: Math.max(contentLength, 1) })

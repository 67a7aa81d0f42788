import { crc32, deflateRawSync } from "node:zlib"

export interface ZipContent {
  readonly name: string
  readonly bytes: Buffer
  /** A wrong size to declare. */
  readonly declaredBytes?: number
  /** How often the directory names these bytes. @default 1 */
  readonly entries?: number
}

/** A zip file, as any program writes it. */
export function zipOf(files: readonly ZipContent[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const { header, data, entry } = partsOf(file, offset)
    parts.push(header, data)
    for (let count = 0; count < (file.entries ?? 1); count += 1) directory.push(entry)
    offset += header.length + data.length
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  const shown = Math.min(directory.length, 0xffff)
  end.writeUInt16LE(shown, 8)
  end.writeUInt16LE(shown, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, ...longEndOf(directory.length, { offset, size }), end])
}

/** The end of a zip file with more files than its usual end can count. */
function longEndOf(count: number, { offset, size }: { readonly offset: number; readonly size: number }): Buffer[] {
  if (count < 0xffff) return []
  const end = Buffer.alloc(56)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  for (const [position, value] of [
    [24, count],
    [32, count],
    [40, size],
    [48, offset],
  ] as const)
    end.writeBigUInt64LE(BigInt(value), position)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return [end, locator]
}

/** Bit 11: the name is UTF-8. */
const UTF8_NAME = 0x0800
const DEFLATE = 8

function partsOf({ name, bytes, declaredBytes = bytes.length }: ZipContent, offset: number) {
  const data = deflateRawSync(bytes)
  const nameBytes = Buffer.from(name)
  // What local header and directory have in common: version, flags, method, time, checksum, sizes, length of the name.
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(UTF8_NAME, 2)
  common.writeUInt16LE(DEFLATE, 4)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(declaredBytes, 18)
  common.writeUInt16LE(nameBytes.length, 22)
  const header = Buffer.concat([uint32(0x04034b50), common, nameBytes])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  const entry = Buffer.concat([uint32(0x02014b50), Buffer.from([20, 0]), common, rest, nameBytes])
  return { header, data, entry }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

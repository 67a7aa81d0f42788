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
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
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

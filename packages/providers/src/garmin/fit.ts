// Decodes the fields of FIT files that are read. Other messages and fields are skipped without being decoded.
// @see https://developer.garmin.com/fit/protocol/

/** The numbers of the fields that are read, by the number of their message. The time is read of all. */
export type WantedFields = ReadonlyMap<number, readonly number[]>

/** A message: the values of its wanted fields by number, as whole numbers without their scale. Invalid ones are absent. */
export interface FitMessage {
  readonly number: number
  readonly fields: ReadonlyMap<number, number>
  /** Seconds since the start of FIT's time, where the file gives it. */
  readonly timestamp: number | undefined
}

/** The file is none, or was cut off. */
export class UnreadableFit extends Error {
  override readonly name = "UnreadableFit"
}

/** FIT counts the seconds since 1989-12-31. */
const EPOCH_MS = Date.UTC(1989, 11, 31)
export const fitTimeMs = (timestamp: number): number => EPOCH_MS + timestamp * 1000

const TIMESTAMP_FIELD = 253
/** Bits of a record's header. */
const COMPRESSED_TIMESTAMP = 0x80
const DEFINITION = 0x40
const HAS_DEVELOPER_FIELDS = 0x20
const LOCAL_TYPE = 0x0f

interface FieldDefinition {
  readonly number: number
  /** Bytes before it in a message. */
  readonly offset: number
  readonly size: number
  readonly isSigned: boolean
}

interface Definition {
  readonly number: number
  readonly isBigEndian: boolean
  /** Those that are read. */
  readonly fields: readonly FieldDefinition[]
  /** Bytes of a message. */
  readonly size: number
}

/** Yields the wanted messages of a file. One file may have several parts. @throws {UnreadableFit} */
export function* decodeFit(bytes: Buffer, wanted: WantedFields): Generator<FitMessage, void> {
  for (let start = 0; start < bytes.length; ) {
    const headerSize = bytes[start] ?? 0
    const isFit = headerSize >= 12 && bytes.toString("latin1", start + 8, start + 12) === ".FIT"
    const end = isFit ? start + headerSize + bytes.readUInt32LE(start + 4) : Number.POSITIVE_INFINITY
    // A checksum of two bytes follows. The zip file has one too, which is verified.
    if (end > bytes.length) throw new UnreadableFit("no FIT file, or a part of one")
    yield* decodePart(bytes.subarray(start + headerSize, end), wanted)
    start = end + 2
  }
}

function* decodePart(part: Buffer, wanted: WantedFields): Generator<FitMessage, void> {
  const definitions = new Map<number, Definition>()
  let timestamp: number | undefined
  for (let position = 0; position < part.length; ) {
    const header = part[position] ?? 0
    position += 1
    if ((header & COMPRESSED_TIMESTAMP) === 0 && (header & DEFINITION) !== 0) {
      const definition = readDefinition(part, position, {
        hasDeveloperFields: (header & HAS_DEVELOPER_FIELDS) !== 0,
        wanted,
      })
      definitions.set(header & LOCAL_TYPE, definition.definition)
      position = definition.end
      continue
    }
    const isCompressed = (header & COMPRESSED_TIMESTAMP) !== 0
    const definition = definitions.get(isCompressed ? (header >> 5) & 0x03 : header & LOCAL_TYPE)
    if (!definition || position + definition.size > part.length) throw new UnreadableFit("a message is cut off")
    if (isCompressed && timestamp !== undefined) timestamp += ((header & 0x1f) - timestamp) & 0x1f
    if (definition.fields.length > 0 || wanted.has(definition.number)) {
      const fields = readFields(part, position, definition)
      timestamp = fields.get(TIMESTAMP_FIELD) ?? timestamp
      if (wanted.has(definition.number)) yield { number: definition.number, fields, timestamp }
    }
    position += definition.size
  }
}

/** Reserved byte, byte order, number of the message, number of fields; then three bytes for each field. */
function readDefinition(
  part: Buffer,
  position: number,
  { hasDeveloperFields, wanted }: { readonly hasDeveloperFields: boolean; readonly wanted: WantedFields },
) {
  const count = part[position + 4]
  const end = position + 5 + (count ?? 0) * 3
  const developerCount = hasDeveloperFields ? part[end] : 0
  const wholeEnd = end + (hasDeveloperFields ? 1 + (developerCount ?? 0) * 3 : 0)
  if (count === undefined || developerCount === undefined || wholeEnd > part.length)
    throw new UnreadableFit("a definition is cut off")
  const isBigEndian = part[position + 1] === 1
  const number = isBigEndian ? part.readUInt16BE(position + 2) : part.readUInt16LE(position + 2)
  const read = [TIMESTAMP_FIELD, ...(wanted.get(number) ?? [])]
  const fields: FieldDefinition[] = []
  let size = 0
  for (let at = position + 5; at < end; at += 3) {
    const [field = 0, bytes = 0, type = 0] = part.subarray(at, at + 3)
    if (read.includes(field))
      fields.push({ number: field, offset: size, size: bytes, isSigned: SIGNED.has(type & 0x1f) })
    size += bytes
  }
  for (let index = 0; index < developerCount; index += 1) size += part[end + 1 + index * 3 + 1] ?? 0
  return { definition: { number, isBigEndian, fields, size }, end: wholeEnd }
}

/** Numbers of the signed base types. */
const SIGNED: ReadonlySet<number> = new Set([0x01, 0x03, 0x05])

function readFields(part: Buffer, start: number, { fields, isBigEndian }: Definition): ReadonlyMap<number, number> {
  const values = new Map<number, number>()
  for (const { number, offset, size, isSigned } of fields) {
    const position = start + offset
    // Texts, lists and numbers of eight bytes are not needed.
    if (size === 1 || size === 2 || size === 4) {
      const invalid = isSigned ? 2 ** (size * 8 - 1) - 1 : 2 ** (size * 8) - 1
      const value = isSigned
        ? isBigEndian
          ? part.readIntBE(position, size)
          : part.readIntLE(position, size)
        : isBigEndian
          ? part.readUIntBE(position, size)
          : part.readUIntLE(position, size)
      if (value !== invalid) values.set(number, value)
    }
  }
  return values
}

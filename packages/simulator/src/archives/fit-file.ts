// FIT files as Garmin's devices write them, of the messages that days and nights are made of.
// @see https://developer.garmin.com/fit/protocol/

/** Seconds since 1989-12-31, FIT's start of time. */
export const fitTime = (ms: number): number => Math.round((ms - Date.UTC(1989, 11, 31)) / 1000)

/** A field: its number, its size in bytes, and its value. */
export type FitField = readonly [number: number, size: 1 | 2 | 4, value: number]

export interface FitMessage {
  readonly number: number
  readonly fields: readonly FitField[]
}

/** FIT's numbers of the unsigned base types. */
const BASE_TYPES = { 1: 0x02, 2: 0x84, 4: 0x86 } as const

export interface FitVariant {
  /** @default false */
  readonly isBigEndian?: boolean
}

/** A whole file. Each change of the message's form has a definition before it. */
export function fitFile(messages: readonly FitMessage[], { isBigEndian = false }: FitVariant = {}): Buffer {
  const parts: Buffer[] = []
  let form = ""
  for (const { number, fields } of messages) {
    const next = JSON.stringify([number, fields.map(([field, size]) => [field, size])])
    if (next !== form) parts.push(definitionOf(number, fields, isBigEndian))
    form = next
    parts.push(Buffer.from([0]), ...fields.map(([, size, value]) => integer(value, size, isBigEndian)))
  }
  const data = Buffer.concat(parts)
  const header = Buffer.alloc(14)
  header.writeUInt8(14, 0)
  header.writeUInt8(0x20, 1)
  header.writeUInt16LE(21_217, 2)
  header.writeUInt32LE(data.length, 4)
  header.write(".FIT", 8, "latin1")
  const file = Buffer.concat([header, data])
  return Buffer.concat([file, integer(checksumOf(file), 2, false)])
}

function definitionOf(number: number, fields: readonly FitField[], isBigEndian: boolean): Buffer {
  const types = fields.flatMap(([field, size]) => [field, size, BASE_TYPES[size]])
  const start = Buffer.from([0x40, 0, isBigEndian ? 1 : 0])
  return Buffer.concat([start, integer(number, 2, isBigEndian), Buffer.from([fields.length, ...types])])
}

function integer(value: number, size: number, isBigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(size)
  if (isBigEndian) bytes.writeUIntBE(value, 0, size)
  else bytes.writeUIntLE(value, 0, size)
  return bytes
}

/** CRC-16 of the FIT protocol. */
function checksumOf(bytes: Buffer): number {
  let checksum = 0
  for (const byte of bytes) {
    checksum ^= byte
    for (let bit = 0; bit < 8; bit += 1) checksum = (checksum & 1) === 1 ? (checksum >> 1) ^ 0xa001 : checksum >> 1
  }
  return checksum
}

// Samples of one UTC day in a few bytes each: columns of differences as variable-length integers, the low seven bits first.

import { type SeriesType, SUM_TYPES } from "@restwell/client"
import type { LeftOut, Sample } from "@restwell/providers"

/** Values are stored to a thousandth of their unit, finer than any device measures. */
const MOST_DECIMALS = 3

/** More than one a second. Devices that measure more often store averages. */
export const MOST_SAMPLES_A_DAY = 100_000

/** Where no local clock is known. */
export const NO_OFFSET = -32_768

/** Samples of one day as columns of equal length, oldest first. */
export interface SampleColumns {
  readonly count: number
  /** Epoch milliseconds. */
  readonly atMs: Float64Array
  /** Of `sleep_stages`, indexes in SLEEP_STAGES. */
  readonly values: Float64Array
  /** Milliseconds, 0 for a moment. Null where all samples are moments. */
  readonly durationsMs: Float64Array | null
  /** Minutes east of UTC, or NO_OFFSET. Null where no sample has one. */
  readonly utcOffsetMinutes: Int16Array | null
}

const FORMAT = 1
const HAS_DURATIONS = 1
const HAS_OFFSETS = 2
const HAS_MILLISECONDS = 4

/**
 * Packs samples of one UTC day, oldest first. Equal samples give equal bytes.
 *
 * Bytes: format, flags, decimals of the values; the count; the differences of the times, in seconds where all are whole; the differences
 * of the values; the durations and the UTC offsets as runs of equal ones.
 */
export function packSamples(day: string, samples: readonly Sample[]): Buffer {
  const startMs = Date.parse(day)
  const hasMilliseconds = samples.some(({ atMs, durationMs = 0 }) => atMs % 1000 !== 0 || durationMs % 1000 !== 0)
  const unitMs = hasMilliseconds ? 1 : 1000
  const decimals = decimalsOf(samples)
  const flags =
    (samples.some(({ durationMs = 0 }) => durationMs > 0) ? HAS_DURATIONS : 0) |
    (samples.some(({ utcOffsetMinutes }) => utcOffsetMinutes !== undefined) ? HAS_OFFSETS : 0) |
    (hasMilliseconds ? HAS_MILLISECONDS : 0)
  const bytes = [FORMAT, flags, decimals]
  writeNumber(bytes, samples.length)
  let before = startMs
  for (const { atMs } of samples) {
    writeNumber(bytes, (atMs - before) / unitMs)
    before = atMs
  }
  const scale = 10 ** decimals
  let former = 0
  for (const { value } of samples) {
    const scaled = Math.round(value * scale)
    writeSigned(bytes, scaled - former)
    former = scaled
  }
  if (flags & HAS_DURATIONS) writeRuns(bytes, samples, ({ durationMs = 0 }) => durationMs / unitMs)
  if (flags & HAS_OFFSETS) writeRuns(bytes, samples, ({ utcOffsetMinutes = NO_OFFSET }) => utcOffsetMinutes - NO_OFFSET)
  return Buffer.from(bytes)
}

/** The samples of a stored row. @throws {RangeError} when these are not bytes that `packSamples` wrote */
export function unpackSamples(day: string, bytes: Buffer): SampleColumns {
  const [format, flags = 0, decimals = 0] = bytes
  if (format !== FORMAT || decimals > MOST_DECIMALS)
    throw new RangeError(`packed samples of the unknown format ${format}`)
  const reader = new NumberReader(bytes, 3)
  const count = reader.next()
  if (count > MOST_SAMPLES_A_DAY) throw new RangeError(`packed samples of ${count} values`)
  const unitMs = flags & HAS_MILLISECONDS ? 1 : 1000
  const atMs = new Float64Array(count)
  let at = Date.parse(day)
  for (let index = 0; index < count; index += 1) {
    at += reader.next() * unitMs
    atMs[index] = at
  }
  const values = new Float64Array(count)
  const scale = 10 ** decimals
  let scaled = 0
  for (let index = 0; index < count; index += 1) {
    scaled += reader.nextSigned()
    values[index] = scaled / scale
  }
  const durationsMs = flags & HAS_DURATIONS ? new Float64Array(count) : null
  if (durationsMs) readRuns(reader, count, (value, from, to) => durationsMs.fill(value * unitMs, from, to))
  const utcOffsetMinutes = flags & HAS_OFFSETS ? new Int16Array(count) : null
  if (utcOffsetMinutes) readRuns(reader, count, (value, from, to) => utcOffsetMinutes.fill(value + NO_OFFSET, from, to))
  return { count, atMs, values, durationsMs, utcOffsetMinutes }
}

/** One sample of columns. */
export function sampleAt({ atMs, values, durationsMs, utcOffsetMinutes }: SampleColumns, index: number): Sample {
  const durationMs = durationsMs?.[index] ?? 0
  const offset = utcOffsetMinutes?.[index] ?? NO_OFFSET
  return {
    atMs: atMs[index] ?? Number.NaN,
    value: values[index] ?? Number.NaN,
    ...(durationMs > 0 && { durationMs }),
    ...(offset !== NO_OFFSET && { utcOffsetMinutes: offset }),
  }
}

export function columnsOf(samples: readonly Sample[]): SampleColumns {
  const hasDurations = samples.some(({ durationMs = 0 }) => durationMs > 0)
  const hasOffsets = samples.some(({ utcOffsetMinutes }) => utcOffsetMinutes !== undefined)
  return {
    count: samples.length,
    atMs: Float64Array.from(samples, ({ atMs }) => atMs),
    values: Float64Array.from(samples, ({ value }) => value),
    durationsMs: hasDurations ? Float64Array.from(samples, ({ durationMs = 0 }) => durationMs) : null,
    utcOffsetMinutes: hasOffsets
      ? Int16Array.from(samples, ({ utcOffsetMinutes = NO_OFFSET }) => utcOffsetMinutes)
      : null,
  }
}

export const samplesOf = (columns: SampleColumns): Sample[] =>
  Array.from({ length: columns.count }, (_, index) => sampleAt(columns, index))

/** A value as it is stored. */
const storedValue = (value: number): number => Math.round(value * 10 ** MOST_DECIMALS) / 10 ** MOST_DECIMALS + 0

/** The fewest decimals that all values can be written with. */
function decimalsOf(samples: readonly Sample[]): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals += 1) {
    const scale = 10 ** decimals
    if (samples.every(({ value }) => Math.round(value * scale) / scale === storedValue(value))) return decimals
  }
  return MOST_DECIMALS
}

/** Writes a whole number from 0 to 2^53 - 1. Differences of distances in thousandths are longer than 32 bits. */
function writeNumber(bytes: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

/** Differences near zero are short, whatever their sign. */
const writeSigned = (bytes: number[], value: number): void => writeNumber(bytes, value < 0 ? -2 * value - 1 : 2 * value)

function writeRuns(bytes: number[], samples: readonly Sample[], read: (sample: Sample) => number): void {
  for (let start = 0; start < samples.length; ) {
    const value = readAt(samples, start, read)
    let end = start + 1
    while (end < samples.length && readAt(samples, end, read) === value) end += 1
    writeNumber(bytes, end - start)
    writeNumber(bytes, value)
    start = end
  }
}

function readAt(samples: readonly Sample[], index: number, read: (sample: Sample) => number): number {
  const sample = samples[index]
  if (!sample) throw new RangeError("no such sample")
  return read(sample)
}

function readRuns(reader: NumberReader, count: number, fill: (value: number, from: number, to: number) => void): void {
  for (let from = 0; from < count; ) {
    const length = reader.next()
    if (length === 0) ended()
    fill(reader.next(), from, from + length)
    from += length
  }
}

class NumberReader {
  readonly #bytes: Buffer
  #position: number

  constructor(bytes: Buffer, position: number) {
    this.#bytes = bytes
    this.#position = position
  }

  next(): number {
    const bytes = this.#bytes
    let position = this.#position
    let byte = bytes[position++] ?? ended()
    let value = byte & 127
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = bytes[position++] ?? ended()
      value += (byte & 127) * factor
    }
    this.#position = position
    return value
  }

  nextSigned(): number {
    const value = this.next()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
}

function ended(): never {
  throw new RangeError("packed samples that end too early")
}

// Which samples of a day count. The rules do not depend on the order in which samples arrive.
/** The samples of a day, oldest first, and the number of samples that were left out because there are too many. */
interface JoinedSamples {
  readonly samples: readonly Sample[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * Joins samples of one type, source and UTC day. There is one for each instant: of several, the one with the greater value counts. Stages of
 * sleep may begin together, so there is one for each instant and stage: the longest. Counts have each different sample of an instant: which
 * of them are added up is decided where they are read. Of too many, the earliest are kept.
 */
export function joinSamples(type: SeriesType, samples: readonly Sample[]): JoinedSamples {
  const rounded = samples.map(storedSample)
  const sorted = isInOrder(rounded) ? rounded : bestInOrder(type, rounded)
  const kept = sorted.slice(0, MOST_SAMPLES_A_DAY)
  const count = sorted.length - kept.length
  const reason = `more than ${MOST_SAMPLES_A_DAY} values in a day`
  return { samples: kept, leftOut: count > 0 ? [{ type, reason, count }] : [] }
}

/** A sample as it is stored. */
function storedSample(sample: Sample): Sample {
  const value = storedValue(sample.value)
  return Object.is(value, sample.value) ? sample : { ...sample, value }
}

/** True for one sample at each instant, oldest first, as devices write them. */
const isInOrder = (samples: readonly Sample[]): boolean =>
  samples.every(({ atMs }, index) => index === 0 || atMs > (samples[index - 1]?.atMs ?? atMs))

function bestInOrder(type: SeriesType, samples: readonly Sample[]): readonly Sample[] {
  const best = new Map<string | number, Sample>()
  const keyOf = keyFor(type)
  for (const sample of samples) {
    const key = keyOf(sample)
    const other = best.get(key)
    if (other === undefined || compareSamples(sample, other) > 0) best.set(key, sample)
  }
  return [...best.values()].sort((one, other) => one.atMs - other.atMs || compareSamples(one, other))
}

/** What identifies a sample among those of a device and day. */
function keyFor(type: SeriesType): (sample: Sample) => string | number {
  if (type === "sleep_stages") return ({ atMs, value }) => `${atMs}/${value}`
  if (SUM_TYPES.includes(type)) return ({ atMs, value, durationMs = 0 }) => `${atMs}/${durationMs}/${value}`
  return ({ atMs }) => atMs
}

/** An order of samples of one instant that has no equals but equal samples. */
const compareSamples = (one: Sample, other: Sample): number =>
  one.value - other.value ||
  (one.durationMs ?? 0) - (other.durationMs ?? 0) ||
  (one.utcOffsetMinutes ?? Number.NEGATIVE_INFINITY) - (other.utcOffsetMinutes ?? Number.NEGATIVE_INFINITY) ||
  0

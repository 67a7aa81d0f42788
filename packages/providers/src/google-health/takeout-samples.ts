// Values within the day of Google Takeout that are measured and not counted: samples, and values of the body.

import { BODY_TYPES, type SeriesType } from "@restwell/client"
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import type { ArchiveItem } from "../archive/archive-items.ts"
import { baseName, type ZipEntry } from "../archive/zip-entries.ts"
import { isOfStrava } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { isCopy, type LocalClock } from "./takeout-days.ts"
import { SAMPLE_TABLES, type SampleTable, type TakeoutFiles } from "./takeout-files.ts"
import { kilogramsOf } from "./takeout-normalize.ts"
import { collect, jsonRows, QUIET_ROWS, readTable, valueColumns } from "./takeout-rows.ts"
import {
  OldHeartRateSchema,
  OldOxygenUptakeSchema,
  OldWeightSchema,
  OldWeightTimeSchema,
  ValueRowSchema,
} from "./takeout-wire.ts"

/** Samples of each type: those of Google's files, then those of times that only Fitbit's old files have, then copies. */
export async function* samplesOf(files: TakeoutFiles, clock: LocalClock): AsyncGenerator<ArchiveItem, void> {
  const readers = new Map<SeriesType, SampleReader>()
  const readerOf = (type: SeriesType) => readers.getOrInsertComputed(type, () => new SampleReader(type, files, clock))
  for (const table of SAMPLE_TABLES) yield* readerOf(table.type).devices(table)
  yield* oldHeartRates(readerOf("heart_rate"))
  yield* oldWeights(readerOf("weight"), readerOf("body_fat"))
  yield* oldOxygenUptakes(readerOf("vo2max"))
  for (const reader of readers.values()) yield* reader.others()
}

/** A watch has 45,000 heart rates a day. So many are in memory until it is known which of one instant counts. */
const SAMPLES_AT_ONCE = 200_000

/** Of sources, whose ranks are remembered. */
const MOST_NAMES = 10_000

/** Devices count before what other apps copied, and Strava last. */
type Rank = "device" | "copy" | "strava"
const rankOf = (source: string): Rank => (isOfStrava(source) ? "strava" : isCopy(source) ? "copy" : "device")

interface SampleFile {
  readonly file: ZipEntry
  readonly table: SampleTable
}

/**
 * The samples of a type. A file is read for its devices, and again only if it has values of others: these fill hours in which no device has
 * any, which is not known before. Only some days of samples are in memory, and the hours that have some.
 */
class SampleReader {
  readonly files: TakeoutFiles
  readonly clock: LocalClock
  readonly #type: SeriesType
  readonly #isBody: boolean
  /** An hour, and a day for the body, because an old file has another time of the same weighing. */
  readonly #unitMs: number
  /** The units that have values, since 1970. */
  readonly #known = new Set<number>()
  readonly #ranks = new Map<string, Rank>()
  readonly #others = new Map<Rank, SampleFile[]>()
  #doubled = 0
  #beside = 0

  constructor(type: SeriesType, files: TakeoutFiles, clock: LocalClock) {
    this.#type = type
    this.files = files
    this.clock = clock
    this.#isBody = BODY_TYPES.includes(type)
    this.#unitMs = this.#isBody ? DAY_MS : HOUR_MS
  }

  /** The values of a table's devices, for hours that earlier tables do not have. Of the body all values count. */
  async *devices(table: SampleTable): AsyncGenerator<ArchiveItem, void> {
    const isKnown = this.knownSoFar()
    for (const file of this.files.named(table.name)) {
      const others = new Set<Rank>()
      yield* this.#read({ file, table }, (source, atMs, isLocal) => {
        const rank = this.#isBody ? "device" : this.#rankOf(source)
        if (rank !== "device") others.add(rank)
        return rank === "device" && !isKnown(atMs, isLocal)
      })
      for (const rank of others) this.#others.getOrInsertComputed(rank, () => []).push({ file, table })
    }
  }

  /**
   * @returns whether a time had values until now: those of one file do not hide each other. A local time without a zone may be hours away
   * from its instant, so of it the day is asked for
   */
  knownSoFar(): (atMs: number, isLocal?: boolean) => boolean {
    const known = new Set(this.#known)
    const days = this.#knownIn(DAY_MS)
    return (atMs, isLocal = false) => (isLocal ? days.has(Math.floor(atMs / DAY_MS)) : known.has(this.#unitOf(atMs)))
  }

  /** The times of a length that have values. */
  #knownIn(lengthMs: number): ReadonlySet<number> {
    return new Set([...this.#known].map((unit) => Math.floor((unit * this.#unitMs) / lengthMs)))
  }

  /** What other apps copied, in hours without values of a device, then what Strava has of days without any. */
  async *others(): AsyncGenerator<ArchiveItem, void> {
    for (const [rank, unitMs] of [["copy", HOUR_MS] as const, ["strava", DAY_MS] as const]) {
      const known = this.#knownIn(unitMs)
      const isWanted = (source: string, atMs: number) => {
        if (this.#rankOf(source) !== rank) return false
        const isKnown = known.has(Math.floor(atMs / unitMs))
        if (isKnown) this.#beside += 1
        return !isKnown
      }
      // Faults of rows were reported by the first reading.
      for (const file of this.#others.get(rank) ?? [])
        for await (const item of this.#read(file, isWanted))
          if (item.type === "series" || item.type === "reading") yield item
    }
    yield* this.#leftOut("values of other apps beside those of a device", this.#beside)
    yield* this.#leftOut("values of a second device at the same instant", this.#doubled)
  }

  *#leftOut(what: string, count: number): Generator<ArchiveItem, void> {
    if (count > 0) yield { type: "ignored", reason: `${this.#type}: ${what}`, count }
  }

  /** Yields some samples of a file, and remembers their hours. Those of Strava name it, by which they are kept from assistants. */
  *fill(samples: readonly Sample[], { name }: ZipEntry, device?: string): Generator<ArchiveItem, void> {
    for (const { atMs } of samples) this.#known.add(this.#unitOf(atMs))
    const key = {
      type: this.#type,
      ...(this.#type === "hrv" && { method: "rmssd" as const }),
      ...(device && { device }),
    }
    for (let start = 0; start < samples.length; start += QUIET_ROWS)
      yield {
        type: "series",
        set: { ...key, samples: samples.slice(start, start + QUIET_ROWS) },
        place: baseName(name),
      }
  }

  #unitOf(atMs: number): number {
    return Math.floor(atMs / this.#unitMs)
  }

  #rankOf(source: string): Rank {
    if (this.#ranks.size >= MOST_NAMES) this.#ranks.clear()
    return this.#ranks.getOrInsertComputed(source, rankOf)
  }

  async *#read(
    { file, table }: SampleFile,
    isWanted: (source: string, atMs: number, isLocal: boolean) => boolean,
  ): AsyncGenerator<ArchiveItem, void> {
    const { values, divisor = 1, placeholder, isDaily = false } = table
    let [bySource, count] = [new Map<string, Sample[]>(), 0]
    const rows = readTable(file, valueColumns(values), ValueRowSchema)
    for await (const item of collect(rows, ({ time, value, source = "" }) => {
      const atMs = isDaily ? this.clock.midnightsOf(this.clock.dateOf(time)).startedAt.getTime() : this.clock.msOf(time)
      const isLocal = time.utcOffsetMinutes === undefined
      if (value === undefined || value === placeholder || !isWanted(source, atMs, isLocal)) return undefined
      const local = this.#isBody && { utcOffsetMinutes: this.clock.offsetAt(atMs) }
      const of = this.#isBody && !isOfStrava(source) ? "" : source
      bySource.getOrInsertComputed(of, () => []).push({ atMs, value: value / divisor, ...local })
      count += 1
      return undefined
    })) {
      yield item
      if (count < SAMPLES_AT_ONCE) continue
      yield* this.#take(bySource, file)
      ;[bySource, count] = [new Map(), 0]
    }
    yield* this.#take(bySource, file)
  }

  /** All values of the body. Of others, those of one instant are of the device that has most of the file. */
  *#take(bySource: ReadonlyMap<string, readonly Sample[]>, file: ZipEntry): Generator<ArchiveItem, void> {
    const taken = new Set<number>()
    const ranked = [...bySource].toSorted(
      ([one, samples], [other, others]) => others.length - samples.length || (one < other ? -1 : 1),
    )
    for (const [source, all] of ranked) {
      const samples = this.#isBody ? all : all.filter(({ atMs }) => !taken.has(atMs))
      this.#doubled += all.length - samples.length
      for (const { atMs } of samples) taken.add(atMs)
      yield* this.fill(samples, file, isOfStrava(source) ? deviceNameOf(source) : undefined)
    }
  }
}

/** Heart rates of Fitbit's old files, for hours that Google's files lack. */
async function* oldHeartRates(reader: SampleReader): AsyncGenerator<ArchiveItem, void> {
  const isKnown = reader.knownSoFar()
  for (const file of reader.files.oldHeartRates) {
    // Most of an archive's bytes are such files.
    if (isWhole(/\d{4}-\d\d-\d\d/.exec(baseName(file.name))?.[0] ?? "", isKnown, reader.clock)) continue
    let samples: Sample[] = []
    for await (const item of collect(jsonRows(file, OldHeartRateSchema), ({ dateTime, value: { bpm, confidence } }) => {
      const atMs = dateTime.getTime()
      // Without confidence the rate is a guess: 70 for a device on a table.
      if (confidence !== 0 && !isKnown(atMs)) samples.push({ atMs, value: bpm })
      return undefined
    })) {
      yield item
      if (samples.length < QUIET_ROWS) continue
      yield* reader.fill(samples, file)
      samples = []
    }
    yield* reader.fill(samples, file)
  }
}

/** Whether all hours of a date are known, on the local clock and in UTC. */
function isWhole(date: string, isKnown: (atMs: number) => boolean, clock: LocalClock): boolean {
  const utcMs = Date.parse(date)
  if (Number.isNaN(utcMs)) return false
  const { startedAt, endedAt } = clock.midnightsOf(date)
  const endMs = Math.max(endedAt.getTime(), utcMs + DAY_MS)
  for (let ms = Math.min(startedAt.getTime(), utcMs); ms < endMs; ms += HOUR_MS) if (!isKnown(ms)) return false
  return isKnown(endMs - 1)
}

/** Weights of Fitbit's old files, and the body fat beside them, each for days that Google's files lack. */
async function* oldWeights(weights: SampleReader, fats: SampleReader): AsyncGenerator<ArchiveItem, void> {
  const { files, clock } = weights
  const [isKnownWeight, isKnownFat] = [weights.knownSoFar(), fats.knownSoFar()]
  for (const file of files.oldWeights) {
    const [ofWeight, ofFat]: [Sample[], Sample[]] = [[], []]
    yield* collect(jsonRows(file, OldWeightSchema), (row) => {
      const time = OldWeightTimeSchema.safeParse(`${row.date} ${row.time ?? "12:00:00"}`)
      if (!time.success) return `${baseName(file.name)}: ${reasonsOf(time.error)}`
      const atMs = clock.msOf(time.data)
      const times = [atMs, time.data.shown.getTime()]
      const at = { atMs, utcOffsetMinutes: clock.offsetAt(atMs) }
      if (!times.some((ms) => isKnownWeight(ms))) ofWeight.push({ ...at, value: kilogramsOf(row) })
      if (row.fat && !times.some((ms) => isKnownFat(ms))) ofFat.push({ ...at, value: row.fat })
      return undefined
    })
    yield* weights.fill(ofWeight, file)
    yield* fats.fill(ofFat, file)
  }
}

async function* oldOxygenUptakes(reader: SampleReader): AsyncGenerator<ArchiveItem, void> {
  const { files, clock } = reader
  const isKnown = reader.knownSoFar()
  for (const file of files.oldOxygenUptakes) {
    const samples: Sample[] = []
    yield* collect(jsonRows(file, OldOxygenUptakeSchema), ({ dateTime, value }) => {
      const found = value.demographicVO2Max ?? value.filteredDemographicVO2Max
      const atMs = clock.msOf(dateTime)
      if (found && !isKnown(atMs)) samples.push({ atMs, value: found, utcOffsetMinutes: clock.offsetAt(atMs) })
      return undefined
    })
    yield* reader.fill(samples, file)
  }
}

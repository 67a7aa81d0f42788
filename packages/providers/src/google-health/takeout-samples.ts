// Values within the day of Google Takeout: minutes that are added up, samples, and weights.

import { BODY_TYPES, type SeriesType } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ArchiveItem } from "../archive/archive-items.ts"
import { baseName, type ZipEntry } from "../archive/zip-entries.ts"
import { isOfStrava } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import type { OldClock } from "./old-clock.ts"
import { type DaySums, isCopy, type LocalClock, OLD_FORM } from "./takeout-days.ts"
import { SAMPLE_TABLES, type SampleTable, SUM_CHECKS, type SumTable, type TakeoutFiles } from "./takeout-files.ts"
import { kilogramsOf } from "./takeout-normalize.ts"
import { collect, jsonRows, QUIET_ROWS, readTable, valueColumns } from "./takeout-rows.ts"
import {
  minuteRowSchema,
  OldHeartRateSchema,
  OldOxygenUptakeSchema,
  OldWeightSchema,
  OldWeightTimeSchema,
  oldMinuteSchema,
  ValueRowSchema,
} from "./takeout-wire.ts"

/** A watch has 45,000 heart rates a day. They are in memory until the day's source is chosen. */
const SAMPLES_AT_ONCE = 200_000

interface Minute {
  readonly date: string
  readonly source: string
  readonly value: number
  readonly atMs: number
}

export interface Clocks {
  readonly clock: LocalClock
  readonly oldClock: OldClock
}

/** Reads the minutes of a figure in both forms. One that cannot be true is left out, and the sum is that of the others. */
export async function* minutesOf(
  files: TakeoutFiles,
  table: SumTable,
  { clock, oldClock }: Clocks,
  add: (minute: Minute) => void,
): AsyncGenerator<ArchiveItem, void> {
  const { figure, name, values, oldName, oldDivisor = 1 } = table
  const minuteAt = (atMs: number, source: string, value: number | undefined): undefined => {
    if (value !== undefined && value > 0) add({ date: clock.dateAt(atMs), source, value, atMs })
  }
  const check = SUM_CHECKS[figure]
  for (const file of files.named(name))
    yield* collect(readTable(file, valueColumns(values), minuteRowSchema(check())), ({ time, value, source }) =>
      minuteAt(clock.msOf(time), source?.trim() || "Fitbit", value),
    )
  for (const file of oldName ? files.named(oldName) : [])
    yield* collect(jsonRows(file, oldMinuteSchema(check(oldDivisor))), ({ dateTime, value = 0 }) =>
      minuteAt(oldClock.instantOf(table, dateTime.getTime()), OLD_FORM, value / oldDivisor),
    )
}

/** Reads minutes again, for the samples of the sources that answer. */
export async function* minuteSamples(
  files: TakeoutFiles,
  table: SumTable,
  { sums, ...clocks }: Clocks & { readonly sums: DaySums },
): AsyncGenerator<ArchiveItem, void> {
  const { type, figure } = table
  if (type === undefined) return
  const chosen = new Map(sums.dates(figure).map((date) => [date, sums.chosen(figure, date)?.source]))
  let samples: Sample[] = []
  const take = function* (least: number): Generator<ArchiveItem, void> {
    if (samples.length < least) return
    const taken = samples
    samples = []
    yield { type: "series", set: { type, samples: taken }, place: figure }
  }
  const keep = ({ date, source, value, atMs }: Minute) => {
    if (chosen.get(date) === source)
      samples.push({ atMs, value, durationMs: MINUTE_MS, utcOffsetMinutes: clocks.clock.offsetAt(atMs) })
  }
  for await (const item of minutesOf(files, table, clocks, keep)) {
    // Faults of rows were reported by the first reading.
    if (item.type === "reading") yield item
    yield* take(QUIET_ROWS)
  }
  yield* take(1)
}

const utcDayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Samples of each type: those of Google's files, then those of days that only Fitbit's old files have. */
export async function* samplesOf(files: TakeoutFiles, clock: LocalClock): AsyncGenerator<ArchiveItem, void> {
  const covered = new Map<SeriesType, Set<string>>()
  for (const table of SAMPLE_TABLES) {
    const before = covered.get(table.type) ?? new Set()
    const found = new Set(before)
    for (const file of files.named(table.name)) yield* sampleFile(file, table, { clock, before, found })
    covered.set(table.type, found)
  }
  const beats = covered.get("heart_rate") ?? new Set()
  for (const file of files.oldHeartRates) {
    // Most of an archive's bytes are such files.
    if (beats.has(/\d{4}-\d\d-\d\d/.exec(baseName(file.name))?.[0] ?? "")) continue
    const samples: Sample[] = []
    yield* collect(jsonRows(file, OldHeartRateSchema), ({ dateTime, value: { bpm, confidence } }) => {
      // Without confidence the rate is a guess: 70 for a device on a table.
      if (confidence !== 0 && !beats.has(utcDayOf(dateTime.getTime())))
        samples.push({ atMs: dateTime.getTime(), value: bpm })
      return undefined
    })
    yield* inParts("heart_rate", samples, file)
  }
  yield* oldWeights(files, covered, clock)
  const known = covered.get("vo2max") ?? new Set()
  for (const file of files.oldOxygenUptakes) {
    const samples: Sample[] = []
    yield* collect(jsonRows(file, OldOxygenUptakeSchema), ({ dateTime, value }) => {
      const found = value.demographicVO2Max ?? value.filteredDemographicVO2Max
      const atMs = clock.msOf(dateTime)
      if (found && !known.has(utcDayOf(atMs)))
        samples.push({ atMs, value: found, utcOffsetMinutes: clock.offsetAt(atMs) })
      return undefined
    })
    yield* inParts("vo2max", samples, file)
  }
}

/** Weights of Fitbit's old files, and the body fat beside them, each for days that Google's files lack. */
async function* oldWeights(
  files: TakeoutFiles,
  covered: ReadonlyMap<SeriesType, ReadonlySet<string>>,
  clock: LocalClock,
): AsyncGenerator<ArchiveItem, void> {
  for (const file of files.oldWeights) {
    const found = { weight: [] as Sample[], body_fat: [] as Sample[] }
    yield* collect(jsonRows(file, OldWeightSchema), (row) => {
      const time = OldWeightTimeSchema.safeParse(`${row.date} ${row.time ?? "12:00:00"}`)
      if (!time.success) return `${baseName(file.name)}: ${reasonsOf(time.error)}`
      const atMs = clock.msOf(time.data)
      const isKnown = (type: SeriesType) =>
        [atMs, time.data.shown.getTime()].some((ms) => covered.get(type)?.has(utcDayOf(ms)))
      const at = { atMs, utcOffsetMinutes: clock.offsetAt(atMs) }
      if (!isKnown("weight")) found.weight.push({ ...at, value: kilogramsOf(row) })
      if (row.fat && !isKnown("body_fat")) found.body_fat.push({ ...at, value: row.fat })
      return undefined
    })
    yield* inParts("weight", found.weight, file)
    yield* inParts("body_fat", found.body_fat, file)
  }
}

interface SampleDays {
  readonly clock: LocalClock
  /** UTC days that an earlier table has. */
  readonly before: ReadonlySet<string>
  /** Gets the UTC days of this table. */
  readonly found: Set<string>
}

/**
 * The samples of one source of a file: of a device before a copy, then of the one with most. A body has all. Those of Strava name it as their
 * device, by which they are kept from assistants.
 */
async function* sampleFile(
  file: ZipEntry,
  table: SampleTable,
  { clock, before, found }: SampleDays,
): AsyncGenerator<ArchiveItem, void> {
  const { type, values, divisor = 1, placeholder, isDaily = false } = table
  const isBody = BODY_TYPES.includes(type)
  let bySource = new Map<string, Sample[]>()
  let count = 0
  const take = function* () {
    const sorted = [...bySource].toSorted(
      ([one, samples], [other, others]) =>
        Number(isOfStrava(one)) - Number(isOfStrava(other)) ||
        Number(isCopy(one)) - Number(isCopy(other)) ||
        others.length - samples.length ||
        (one < other ? -1 : 1),
    )
    bySource = new Map()
    count = 0
    for (const [source, samples] of isBody ? sorted : sorted.slice(0, 1)) {
      for (const { atMs } of samples) found.add(utcDayOf(atMs))
      yield* inParts(type, samples, file, isOfStrava(source) ? source : undefined)
    }
  }
  const rows = readTable(file, valueColumns(values), ValueRowSchema)
  for await (const item of collect(rows, ({ time, value, source = "" }) => {
    const atMs = isDaily ? clock.midnightsOf(clock.dateOf(time)).startedAt.getTime() : clock.msOf(time)
    if (value === undefined || value === placeholder || before.has(utcDayOf(atMs))) return undefined
    const key = isBody && !isOfStrava(source) ? "" : source
    const samples = bySource.get(key) ?? []
    bySource.set(key, samples)
    samples.push({ atMs, value: value / divisor, ...(isBody && { utcOffsetMinutes: clock.offsetAt(atMs) }) })
    count += 1
    return undefined
  })) {
    yield item
    if (count >= SAMPLES_AT_ONCE) yield* take()
  }
  yield* take()
}

function* inParts(
  type: SeriesType,
  samples: readonly Sample[],
  { name }: ZipEntry,
  device?: string,
): Generator<ArchiveItem, void> {
  const method = type === "hrv" ? { method: "rmssd" as const } : {}
  for (let start = 0; start < samples.length; start += QUIET_ROWS)
    yield {
      type: "series",
      set: { type, ...method, ...(device && { device }), samples: samples.slice(start, start + QUIET_ROWS) },
      place: baseName(name),
    }
}

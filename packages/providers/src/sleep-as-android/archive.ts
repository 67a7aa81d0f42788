// Sleep as Android's export: a table in which each sleep has a header of its own, because movements and events are columns.
import { SLEEP_STAGES } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { CollectedRows } from "../apple-health/collected-rows.ts"
import { rowFault } from "../apple-health/rows.ts"
import { type ArchiveItem, fileItems, leftOutReason, recordItems, UnreadableArchive } from "../archive/archive-items.ts"
import { brokenRowItem, readCsvRows } from "../archive/csv-rows.ts"
import { SampleSets } from "../archive/sample-sets.ts"
import type { TextFile, TextHead } from "../archive/text.ts"
import { baseName } from "../archive/zip-entries.ts"
import { HEADER, isHeader, type SleepRow, sleepRowOf } from "./wire.ts"

interface SleepAsAndroidOptions {
  readonly now: Date
  /** Of the person: an IANA name. For sleeps without one. */
  readonly timeZone: string
}

/** Whether a file is the export's table. */
export const isSleepAsAndroid = ({ text }: TextHead): boolean => HEADER.test(text)

/** A night has a column for each movement and each event. */
const MOST_COLUMNS = 50_000
const MOST_SLEEPS = 300_000

/** Streams what the tables contain. Comments and places in them are never read. */
export async function* readSleepAsAndroid(
  files: readonly TextFile[],
  options: SleepAsAndroidOptions,
): AsyncGenerator<ArchiveItem, void> {
  const collected = new CollectedRows({ ...options, hasPartialRecoveries: true })
  const sets = new SampleSets()
  /** By the start, which is the id. Of two versions the row that comes later counts. */
  const found = new Map<number, SleepRow>()
  for (const file of files) {
    yield { type: "note", note: `${baseName(file.name)} was read as Sleep as Android's sleeps` }
    for await (const item of fileItems(sleepsIn(file, options.timeZone))) {
      if ("type" in item) yield item
      else found.set(item.startMs, item)
      if (found.size > MOST_SLEEPS) throw new UnreadableArchive(`${file.name} has more than ${MOST_SLEEPS} sleeps`)
    }
  }
  const sleeps = [...found.values()]
  // Zones are known before anything is dated.
  for (const { startMs, endMs, timeZone } of sleeps)
    for (const ms of [startMs, endMs]) collected.zones.add(timeZone, ms)
  for (const sleep of sleeps) {
    yield* addSleep(collected, sleep)
    yield* valueItems(collected, sets, sleep)
  }
  sets.takeAll()
  for (const set of sets.take()) yield { type: "series", set, place: set.type }
  for (const archived of collected.records()) yield* recordItems(archived, `the row of ${archived.date}`)
}

async function* sleepsIn(file: TextFile, timeZone: string): AsyncGenerator<SleepRow | ArchiveItem, void> {
  const name = baseName(file.name)
  let header: readonly string[] = []
  for await (const row of readCsvRows(file, { mostColumns: MOST_COLUMNS })) {
    if ("fault" in row) yield brokenRowItem(name, row)
    else if (isHeader(row.cells)) header = row.cells
    // A line of noise levels may follow a sleep.
    else if (row.cells[0]?.trim() !== "") {
      const sleep = sleepRowOf(header, row.cells, timeZone)
      yield typeof sleep === "string" ? { type: "ignored", reason: `${name}, line ${row.line}: ${sleep}` } : sleep
    }
  }
}

/** The program names no device, and its sleeps have none. */
const DEVICE = ""

/** Hours have a decimal, and clocks no seconds. */
const ROUNDING_MS = 6 * MINUTE_MS
const OTHER_STAGES = leftOutReason("sleep", "stages", "they add up to another time than Hours and LenAdjust")

/** The time asleep is that of Hours and LenAdjust. A person sets them right where the stages are wrong. */
function* addSleep(
  collected: CollectedRows,
  { startMs, endMs, asleepMs, stages }: SleepRow,
): Generator<ArchiveItem, void> {
  const staged = stages.reduce(
    (sum, span) => sum + (SLEEP_STAGES[span.value] === "awake" ? 0 : span.endMs - span.startMs),
    0,
  )
  const isTrue = asleepMs === undefined || Math.abs(staged - asleepMs) <= ROUNDING_MS
  if (staged > 0 && isTrue) {
    const rows = [{ startMs, endMs, value: SLEEP_STAGES.indexOf("in_bed") }, ...stages]
    for (const row of rows) collected.add({ type: "sleep", device: DEVICE, ...row })
    return
  }
  if (staged > 0) yield { type: "left_out", reason: OTHER_STAGES }
  const ms = { awake: 0, light: 0, deep: 0, rem: 0, asleep: asleepMs ?? 0, in_bed: endMs - startMs }
  const times = { startMs, endMs, segments: [], ms, asleepMs: asleepMs ?? 0, hasStages: false }
  collected.addSession({ device: DEVICE, kind: "app", ...times })
}

/** What a paired wearable measured. */
function* valueItems(collected: CollectedRows, sets: SampleSets, { values }: SleepRow): Generator<ArchiveItem, void> {
  for (const { type, atMs, value } of values) {
    const fault = rowFault(type, { startMs: atMs, endMs: atMs, value })
    if (fault !== undefined) {
      yield { type: "ignored", reason: `${type}: ${fault}` }
      continue
    }
    sets.add({ type }, { atMs, value })
    if (type === "spo2") collected.add({ type, device: DEVICE, startMs: atMs, endMs: atMs, value })
  }
}

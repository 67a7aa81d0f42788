import { type HrvMethod, type SeriesType, SUM_TYPES } from "@restwell/client"
import { type DeviceKind, deviceKindOf, isOfStrava, type Sample } from "@restwell/providers"
import { CompiledQuery, Transaction } from "kysely"
import type { Pool } from "pg"
import { countDates, datesOf } from "../../base/calendar.ts"
import type { Database } from "../database.ts"
import { columnsOf, joinSamples, type SampleColumns, samplesOf, unpackSamples } from "../packed-samples.ts"
import { runStatement, type Statement } from "../pool.ts"

/** The samples of one source, device and UTC day. */
export interface SeriesDay {
  readonly provider: string
  /** Null where no collector names a device. */
  readonly device: string | null
  readonly kind: DeviceKind
  readonly method: HrvMethod | null
  /** UTC day, YYYY-MM-DD. */
  readonly day: string
  /** True if none of them came from the vendor itself. */
  readonly isFromArchive: boolean
  readonly samples: SampleColumns
}

export interface SeriesQuery {
  readonly userId: string
  readonly type: SeriesType
  readonly providers: readonly string[]
  /** UTC days, both included. A sample that lasts may begin on the day before it is wanted. */
  readonly from: string
  readonly to: string
  /** Which of them. @default all */
  readonly isWanted?: (day: string) => boolean
  /** Leaves out what assistants must not get. @default false */
  readonly isForAssistant?: boolean
}

/** Rows that are read at once: some megabytes of the fullest days that devices have. */
const PAGE_ROWS = 400
/** The rows of as many days are read at once without counting them. */
const FEW_DAYS = 10

/**
 * Streams the samples that count, in the order of days, providers, devices and methods. Each of these four has one entry, where the
 * vendor's own samples and those of all imports are joined: `joinRows`.
 */
export async function* readSeriesDays(
  store: Pool | Transaction<Database>,
  query: SeriesQuery,
): AsyncGenerator<SeriesDay, void> {
  let group: SeriesRow[] = []
  for await (const row of rowsOf(store, query)) {
    if (query.isForAssistant && isOfStrava(row.device)) continue
    if (group[0] && !isSameDay(group[0], row)) {
      yield* joinRows(query.type, group)
      group = []
    }
    group.push(row)
  }
  yield* joinRows(query.type, group)
}

/** A stored row. */
export interface SeriesRow {
  readonly day: string
  readonly provider: string
  readonly device: string
  readonly deviceKind: DeviceKind | null
  readonly method: HrvMethod | ""
  readonly recordId: string
  readonly isFromArchive: boolean
  /** -1 for the vendor's own. */
  readonly importNumber: string
  readonly samples: Buffer
}

/** Sorting all rows with their samples for each page takes longer than the rest, so the days are read first. */
const COUNT_ROWS: Statement = {
  name: "count-series-rows",
  text: `select day::text as day, count(*)::integer as rows from restwell.series
    where user_id = $1 and type = $2 and provider = any($3::text[]) and day between $4::date and $5::date
    group by day order by day`,
}

const READ_ROWS: Statement = {
  name: "read-series-rows",
  text: `select day::text as day, provider, device, device_kind as "deviceKind", method, record_id as "recordId", from_archive as "isFromArchive",
      coalesce(import_number, -1) as "importNumber", samples
    from restwell.series
    where user_id = $1 and type = $2 and provider = any($3::text[]) and day = any($4::date[])
    order by day, provider, device, method, record_id, coalesce(import_number, -1)`,
}

async function* rowsOf(
  store: Pool | Transaction<Database>,
  { userId, type, providers, from, to, isWanted = () => true }: SeriesQuery,
): AsyncGenerator<SeriesRow, void> {
  const of = [userId, type, providers]
  const readPages = async (): Promise<string[][]> => {
    if (countDates({ from, to }) <= FEW_DAYS) return [datesOf({ from, to }).filter(isWanted)]
    const { rows } = await run<StoredDay>(store, COUNT_ROWS, [...of, from, to])
    return pagesOf(rows.filter(({ day }) => isWanted(day)))
  }
  for (const page of await readPages()) yield* (await run<SeriesRow>(store, READ_ROWS, [...of, page])).rows
}

const READ_DEVICES: Statement = {
  name: "read-series-devices",
  text: `select distinct day::text as day, device from restwell.series
    where user_id = $1 and provider = $2 and type = any($3::text[]) and day between $4::date and $5::date`,
}

interface DevicesQuery extends Pick<SeriesQuery, "userId" | "from" | "to" | "isForAssistant"> {
  readonly provider: string
  readonly types: readonly SeriesType[]
}

/** The devices that have samples of any of some types, by UTC day. */
export async function readSeriesDevices(
  store: Pool | Transaction<Database>,
  { userId, provider, types, from, to, isForAssistant }: DevicesQuery,
): Promise<readonly Pick<SeriesRow, "day" | "device">[]> {
  const values = [userId, provider, types, from, to]
  const { rows } = await run<Pick<SeriesRow, "day" | "device">>(store, READ_DEVICES, values)
  return rows.filter(({ device }) => !(isForAssistant && isOfStrava(device)))
}

/** A transaction sees what it has written. */
const run = <Row extends object>(store: Pool | Transaction<Database>, statement: Statement, values: unknown[]) =>
  store instanceof Transaction
    ? store.executeQuery<Row>(CompiledQuery.raw(statement.text, values))
    : runStatement<Row>(store, statement, values)

interface StoredDay {
  readonly day: string
  readonly rows: number
}

/** Days whose rows are read at once. */
function pagesOf(days: readonly StoredDay[]): string[][] {
  const pages: string[][] = []
  let room = 0
  for (const { day, rows } of days) {
    if (rows > room) {
      pages.push([])
      room = PAGE_ROWS
    }
    room -= rows
    pages.at(-1)?.push(day)
  }
  return pages
}

const isSameDay = (one: SeriesRow, other: SeriesRow): boolean =>
  one.day === other.day && one.provider === other.provider && one.device === other.device && one.method === other.method

function joinRows(type: SeriesType, rows: readonly SeriesRow[]): SeriesDay[] {
  const [first] = rows
  if (!first) return []
  const { provider, device, method, day } = first
  const isFromArchive = rows.every((row) => row.isFromArchive)
  const kind = rows.find(({ deviceKind }) => deviceKind)?.deviceKind ?? deviceKindOf(device)
  const samples = rows.length === 1 ? unpackSamples(day, first.samples) : columnsOf(joinedSamples(type, rows))
  return [{ provider, device: device || null, kind, method: method || null, day, isFromArchive, samples }]
}

/**
 * Joins rows of one day. At the same instant the vendor's own sample counts, then that of the newest import. A sample of a record fills
 * a time of the day without other samples: a ring has a value for each five minutes of a night, and single measurements of most nights.
 */
export function joinedSamples(
  type: SeriesType,
  rows: readonly Pick<SeriesRow, "day" | "recordId" | "importNumber" | "samples">[],
): readonly Sample[] {
  const [own, ofRecords] = [rows.filter(({ recordId }) => recordId === ""), fullestOfEach(rows)]
  const alone = own.toSorted(byTrust).map(unpacked)
  const taken = new Set<string>()
  const samples = alone.flatMap((some) => {
    const fresh = some.filter((sample) => !taken.has(instantOf(type, sample)))
    for (const sample of fresh) taken.add(instantOf(type, sample))
    return fresh
  })
  const times = samples.map(({ atMs }) => atMs).sort((one, other) => one - other)
  const filling = ofRecords.flat().filter((sample) => !isCovered(times, sample))
  return joinSamples(type, [...samples, ...filling]).samples
}

const unpacked = ({ day, samples }: Pick<SeriesRow, "day" | "samples">): Sample[] =>
  samplesOf(unpackSamples(day, samples))

/** Counts that begin together and last differently are other groupings of one time: `CountSweep` decides which of them answers. */
function instantOf(type: SeriesType, { atMs, value, durationMs = 0 }: Sample): string {
  if (type === "sleep_stages") return `${atMs}/${value}`
  return SUM_TYPES.includes(type) ? `${atMs}/${durationMs}` : `${atMs}`
}

/** The vendor's own first, then the newest import. */
const byTrust = (one: Trusted, other: Trusted): number => trustOf(other) - trustOf(one)
type Trusted = Pick<SeriesRow, "importNumber">
const trustOf = ({ importNumber }: Trusted): number =>
  Number(importNumber) < 0 ? Number.POSITIVE_INFINITY : Number(importNumber)

/**
 * The samples of each record: of several imports those of the one that has most of it, as `projectArchives` chooses the record itself, then
 * those of the newest. The view leaves out what imports have of the vendor's own records.
 */
function fullestOfEach(rows: Parameters<typeof joinedSamples>[1]): readonly (readonly Sample[])[] {
  const ofRecords = rows.filter(({ recordId }) => recordId !== "").toSorted(byTrust)
  return [...Map.groupBy(ofRecords, ({ recordId }) => recordId).values()].flatMap((newestFirst) =>
    newestFirst
      .map(unpacked)
      .toSorted((one, other) => lengthOf(other) - lengthOf(one))
      .slice(0, 1),
  )
}

/** The time that samples are for, or their number where they are moments. */
const lengthOf = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { durationMs = 1 }) => sum + durationMs, 0)

/** Whether one of the times is at the beginning of a sample or in the time that it is for. */
function isCovered(times: readonly number[], { atMs, durationMs = 1 }: Sample): boolean {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < atMs) low = middle + 1
    else high = middle
  }
  return (times[low] ?? Number.POSITIVE_INFINITY) < atMs + durationMs
}

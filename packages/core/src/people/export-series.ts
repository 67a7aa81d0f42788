// Values within the day in the export of an account: columns of equal length, a source and UTC day in each entry.
import { type SeriesType, SLEEP_STAGES, SUM_TYPES } from "@restwell/client"
import type { DeviceKind } from "@restwell/providers"
import { type Kysely, sql } from "kysely"
import { instantText } from "../base/calendar.ts"
import { csvHeader, csvRows } from "../read/columns.ts"
import { type Database, readPages } from "../store/database.ts"
import { columnsOf, NO_OFFSET, sampleAt, unpackSamples } from "../store/packed-samples.ts"
import { joinedSamples } from "../store/statements/read-series.ts"

/** Entries that are read at once. Those of the fullest days have a value for each second. */
const PAGE_DAYS = 10
/** Rows of a piece of CSV. Others are answered between two pieces. */
export const PIECE_ROWS = 100

interface SeriesRow {
  readonly type: SeriesType
  readonly provider: string
  readonly day: string
  readonly device: string
  readonly deviceKind: DeviceKind | null
  readonly method: string
  readonly recordId: string
  readonly isFromArchive: boolean
  /** -1 for the vendor's own. */
  readonly importNumber: string
  readonly samples: Buffer
}

const FIRST = { type: "", provider: "", day: "0001-01-01", device: "", method: "", recordId: "", importNumber: "-2" }

type SeriesKey = Omit<SeriesRow, "isFromArchive" | "deviceKind" | "samples" | "type"> & { readonly type: string }

/** Pages of rows by type, source and day. */
const rowPages = (database: Kysely<Database>, userId: string) =>
  readPages(PAGE_DAYS, async (after: SeriesKey = FIRST) => {
    const { rows } = await sql<SeriesRow>`
      select type, provider, day::text as day, device, device_kind as "deviceKind", method, record_id as "recordId", from_archive as "isFromArchive",
        coalesce(import_number, -1) as "importNumber", samples
      from restwell.series
      where user_id = ${userId}
        and (type, provider, day, device, method, record_id, coalesce(import_number, -1)) > (${after.type}, ${after.provider},
          ${after.day}::date, ${after.device}, ${after.method}, ${after.recordId}, ${after.importNumber}::bigint)
      order by type, provider, day, device, method, record_id, coalesce(import_number, -1)
      limit ${PAGE_DAYS}`.execute(database)
    return rows
  })

/** Pages of entries, each of a source and day. */
export async function* seriesPages(database: Kysely<Database>, userId: string): AsyncGenerator<object[], void> {
  let group: SeriesRow[] = []
  for await (const rows of rowPages(database, userId))
    for (const row of rows) {
      if (group[0] && !isJoined(group[0], row)) yield [entryOf(group)]
      group = group[0] && isJoined(group[0], row) ? [...group, row] : [row]
    }
  if (group.length > 0) yield [entryOf(group)]
}

/** Counts of one device and day are one entry: several imports may have versions of one sample, of which one counts. */
const isJoined = (one: SeriesRow, other: SeriesRow): boolean =>
  SUM_TYPES.includes(one.type) &&
  one.type === other.type &&
  one.provider === other.provider &&
  one.day === other.day &&
  one.device === other.device

const COLUMNS = ["type", "source", "device", "method", "time", "value", "duration_seconds", "utc_offset_minutes"].map(
  (name) => ({ name }),
)

/** All values within the day as CSV (RFC 4180), by type, source and time, in short pieces. Those of every source and import are there. */
export async function* exportSeriesCsv(database: Kysely<Database>, userId: string): AsyncIterable<string> {
  yield csvHeader(COLUMNS)
  for await (const rows of rowPages(database, userId)) for (const row of rows) yield* valuePieces(row)
}

function* valuePieces({ type, provider, day, device, method, samples }: SeriesRow): Generator<string, void> {
  const columns = unpackSamples(day, samples)
  const valueAt = (index: number): object => {
    const { atMs, value, durationMs, utcOffsetMinutes } = sampleAt(columns, index)
    return {
      type,
      source: provider,
      device: device || null,
      method: method || null,
      time: instantText(atMs),
      value: type === "sleep_stages" ? SLEEP_STAGES[value] : value,
      duration_seconds: durationMs === undefined ? null : durationMs / 1000,
      utc_offset_minutes: utcOffsetMinutes ?? null,
    }
  }
  for (let start = 0; start < columns.count; start += PIECE_ROWS) {
    const length = Math.min(PIECE_ROWS, columns.count - start)
    yield csvRows(
      COLUMNS,
      Array.from({ length }, (_, index) => valueAt(start + index)),
    )
  }
}

function entryOf(rows: readonly SeriesRow[]): object {
  const [first] = rows
  if (!first) throw new RangeError("an entry without rows")
  const { type, provider, day, device, method, recordId } = first
  const deviceKind = rows.find((row) => row.deviceKind !== null)?.deviceKind
  const isFromArchive = rows.every((row) => row.isFromArchive)
  const columns = rows.length === 1 ? unpackSamples(day, first.samples) : columnsOf(joinedSamples(type, rows))
  const { atMs, values, durationsMs, utcOffsetMinutes } = columns
  const startMs = Date.parse(day)
  return {
    type,
    provider,
    day,
    device: device || null,
    ...(deviceKind && { device_kind: deviceKind }),
    method: method || null,
    record_id: recordId || null,
    from_archive: isFromArchive,
    offsets_seconds: Array.from(atMs, (at) => (at - startMs) / 1000),
    values: Array.from(values),
    ...(durationsMs && { durations_seconds: Array.from(durationsMs, (duration) => duration / 1000) }),
    ...(utcOffsetMinutes && {
      utc_offsets_minutes: Array.from(utcOffsetMinutes, (offset) => (offset === NO_OFFSET ? null : offset)),
    }),
  }
}

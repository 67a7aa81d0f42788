import type { SeriesType } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import type { DeviceKind, LeftOut, NormalizedRecord, Sample, SampleSet, SampleWindow } from "@restwell/providers"
import { SERIES_OF_KEPT, sumLeftOut } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import { type Database, lockData } from "../database.ts"
import { joinSamples, packSamples, samplesOf, unpackSamples } from "../packed-samples.ts"

/** What a write of samples changed. */
export interface SeriesChange {
  /** Samples that are stored now and were not before. */
  readonly stored: number
  readonly unchanged: number
  readonly leftOut: readonly LeftOutOfDay[]
}

/** Samples that cannot be used, and the record that they would be a part of. */
interface LeftOutOfDay extends LeftOut {
  readonly recordId?: string
}

/** Rows of samples: of a vendor itself, or of an import. */
export interface SeriesOwner extends ConnectionId {
  readonly import?: { readonly id: string; readonly wasDirect: boolean }
}

/** What all samples of a row have in common, and the UTC day. */
interface DayKey {
  readonly type: SeriesType
  readonly day: string
  readonly device: string
  readonly method: string
  readonly recordId: string
}

interface StoredDay extends DayKey {
  readonly samples: Buffer
}

/** New samples of a day beside the stored ones. */
interface DayChange extends DayKey {
  readonly kind: DeviceKind | undefined
  readonly samples: Sample[]
}

/** Adds samples to the stored ones. A repeat changes nothing, and the order of writes does not matter: `joinSamples`. */
export const mergeSamples = (
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  sets: readonly SampleSet[],
  recordId = "",
): Promise<SeriesChange> => mergeRecordSamples(transaction, owner, [{ recordId, sets }])

/** Adds samples that are parts of several records to the stored ones. */
export async function mergeRecordSamples(
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  records: readonly RecordSamples[],
): Promise<SeriesChange> {
  const changes = records.flatMap(({ recordId, sets }) => byDay(sets, recordId))
  const sets = records.flatMap((record) => record.sets)
  if (sets.length === 0) return NOTHING_CHANGED
  await lockData(transaction, owner.userId)
  const stored = await readDays(transaction, owner, changes)
  const change = await writeDays(transaction, owner, changes, { stored, keptOf: () => () => true })
  return { ...change, leftOut: [...leftOutOf(sets), ...change.leftOut] }
}

/**
 * Replaces the samples that pushed rows became on some UTC days. Of types that most come without rows, the others stay.
 * @param sets of all rows of these days @param former of rows that others replaced
 */
export async function replaceSamplesOfRows(
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  days: readonly string[],
  { sets, former }: { readonly sets: readonly SampleSet[]; readonly former: readonly SampleSet[] },
): Promise<SeriesChange> {
  await lockData(transaction, owner.userId)
  const types = new Set([...SERIES_OF_KEPT, ...[...sets, ...former].map(({ type }) => type)])
  const { rows: stored } = await sql<StoredDay>`
    select type, day::text as day, device, method, record_id as "recordId", samples from ${tableOf(owner)}
    where user_id = ${owner.userId} and type = any(${[...types]}) and provider = ${owner.provider} and day = any(${days}::date[])
      and record_id = '' and ${isOfImport(owner)}`.execute(transaction)
  const ofRows = new Set(stored.filter(({ type }) => SERIES_OF_KEPT.includes(type)).map(textOf))
  const nameOf = ({ atMs, value }: Sample) => `${atMs}/${value}`
  const gone = new Map(
    byDay(former, "").map((day) => [textOf(day), new Set(joinSamples(day.type, day.samples).samples.map(nameOf))]),
  )
  const keptOf = (day: string) => (sample: Sample) => !ofRows.has(day) && gone.get(day)?.has(nameOf(sample)) !== true
  return writeDays(transaction, owner, byDay(sets, ""), { stored, keptOf })
}

/**
 * Replaces the samples of some types in a window by what the vendor has there now, those of devices that it no longer names too. Samples that
 * are parts of records stay.
 * @param sets each sample within the window, and all sets of their types
 * @param keepsMissing stored samples that the vendor does not list stay: a list of the past may be incomplete
 */
export async function replaceSamples(
  transaction: Transaction<Database>,
  owner: ConnectionId,
  { from, to, keepsMissing = false }: SampleWindow & { readonly keepsMissing?: boolean },
  sets: readonly SampleSet[],
): Promise<SeriesChange> {
  const types = [...new Set(sets.map(({ type }) => type))]
  if (types.length === 0) return NOTHING_CHANGED
  const [first, last] = [utcDateOf(from), utcDateOf(new Date(to.getTime() - 1))]
  await lockData(transaction, owner.userId)
  const { rows: stored } = await sql<StoredDay>`
    select type, day::text as day, device, method, record_id as "recordId", samples from restwell.series_day
    where user_id = ${owner.userId} and type = any(${types}) and provider = ${owner.provider}
      and day between ${first}::date and ${last}::date and record_id = ''`.execute(transaction)
  const changes = byDay(sets, "")
  const listed = new Map(changes.map((day) => [textOf(day), new Set(day.samples.map(({ atMs }) => atMs))]))
  const keptOf = (day: string) => {
    const times = listed.get(day)
    return ({ atMs }: Sample) =>
      atMs < from.getTime() || atMs >= to.getTime() || (keepsMissing && times?.has(atMs) !== true)
  }
  const change = await writeDays(transaction, owner, changes, { stored, keptOf })
  // A time that is wrong is of no day, or of another year. It came with this window.
  const leftOut = [...leftOutOf(sets), ...change.leftOut].map((one) =>
    one.day !== undefined && one.day >= first && one.day <= last ? one : { ...one, day: first },
  )
  await sql`
    delete from restwell.series_left_out
    where user_id = ${owner.userId} and provider = ${owner.provider} and type = any(${types})
      and day between ${first}::date and ${last}::date and record_id = ''`.execute(transaction)
  await insertLeftOut(transaction, owner, leftOut)
  return { ...change, leftOut }
}

const leftOutOf = (sets: readonly SampleSet[]): readonly LeftOut[] => sets.flatMap(({ leftOut = [] }) => leftOut)

/** Stores how many samples of which days cannot be used. */
async function insertLeftOut(
  transaction: Transaction<Database>,
  { userId: user_id, provider }: ConnectionId,
  leftOut: readonly LeftOutOfDay[],
): Promise<void> {
  // Records have times, so their samples have days.
  const rows = sumLeftOut(leftOut).flatMap(({ day, recordId: record_id = "", ...row }) =>
    day === undefined ? [] : [{ user_id, provider, day, record_id, ...row }],
  )
  if (rows.length === 0) return
  await transaction.insertInto("series_left_out").values(rows).execute()
}

/**
 * Replaces the counts of records that a vendor hides or copied by those that a read of a whole window found. Those without a date are of its
 * first. @param read what was read whole
 */
export async function replaceLeftOutRecords(
  transaction: Transaction<Database>,
  owner: ConnectionId,
  { from, to }: { readonly from: Date; readonly to: Date | null },
  { leftOut, read }: { readonly leftOut: readonly LeftOut[]; readonly read: readonly string[] },
): Promise<void> {
  const first = utcDateOf(from)
  const last = to === null ? null : utcDateOf(to)
  const isWithin = (day: string) => day >= first && (last === null || day <= last)
  await sql`
    delete from restwell.series_left_out
    where user_id = ${owner.userId} and provider = ${owner.provider} and type = any(${read})
      and day >= ${first}::date and day <= coalesce(${last}::date, 'infinity')`.execute(transaction)
  const dated = leftOut.map(({ day = first, ...one }) => ({ ...one, day }))
  await insertLeftOut(
    transaction,
    owner,
    dated.filter(({ day }) => isWithin(day)),
  )
}

/** The samples of one record of a vendor. */
export interface RecordSamples {
  readonly recordId: string
  readonly sets: readonly SampleSet[]
}

/** Replaces the samples that are parts of records by those of the records' newest versions. */
export async function replaceRecordSamples(
  transaction: Transaction<Database>,
  owner: ConnectionId,
  records: readonly RecordSamples[],
): Promise<SeriesChange> {
  const ids = records.map(({ recordId }) => recordId)
  if (ids.length === 0) return NOTHING_CHANGED
  await lockData(transaction, owner.userId)
  const { rows: stored } = await sql<StoredDay>`
    select type, day::text as day, device, method, record_id as "recordId", samples from restwell.series_day
    where user_id = ${owner.userId} and provider = ${owner.provider} and record_id = any(${ids}) and record_id <> ''`.execute(
    transaction,
  )
  const changes = records.flatMap(({ recordId, sets }) => byDay(sets, recordId))
  const change = await writeDays(transaction, owner, changes, { stored, keptOf: () => () => false })
  const impossible = records.flatMap(({ recordId, sets }) => leftOutOf(sets).map((one) => ({ ...one, recordId })))
  const leftOut = [...impossible, ...change.leftOut]
  await sql`
    delete from restwell.series_left_out
    where user_id = ${owner.userId} and provider = ${owner.provider} and record_id = any(${ids}) and record_id <> ''`.execute(
    transaction,
  )
  await insertLeftOut(transaction, owner, leftOut)
  return { ...change, leftOut }
}

/**
 * Stores the samples that are parts of records. Of a record whose stored version is newer, nothing changes.
 * @param records the records that were just stored
 */
export async function storeSamplesOf(
  transaction: Transaction<Database>,
  owner: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<SeriesChange> {
  const sleeps = records.flatMap((record) => (record.kind === "sleep" && record.samples ? [record] : []))
  if (sleeps.length === 0) return NOTHING_CHANGED
  const stored = await transaction
    .selectFrom("record")
    .select(["provider_id", "vendor_updated_at"])
    .where("user_id", "=", owner.userId)
    .where("provider", "=", owner.provider)
    .where("kind", "=", "sleep")
    .where("provider_id", "in", [...new Set(sleeps.map(({ providerId }) => providerId))])
    .where("from_archive", "=", false)
    .execute()
  const versionOf = new Map(stored.map((row) => [row.provider_id, row.vendor_updated_at.getTime()]))
  const current = new Map<string, RecordSamples>()
  for (const { providerId, updatedMs, samples = [] } of sleeps)
    if (versionOf.get(providerId) === updatedMs) current.set(providerId, { recordId: providerId, sets: samples })
  return replaceRecordSamples(transaction, owner, [...current.values()])
}

const NOTHING_CHANGED: SeriesChange = { stored: 0, unchanged: 0, leftOut: [] }

const textOf = ({ type, day, device, method, recordId }: DayKey): string =>
  JSON.stringify([type, day, device, method, recordId])

/** Samples grouped by the row that has them. Most come in the order of their times, so the row is that of the sample before. */
function byDay(sets: readonly SampleSet[], recordId: string): DayChange[] {
  const changes = new Map<string, DayChange>()
  for (const { type, device = "", method = "", kind, samples } of sets) {
    let [startMs, ofDay]: [number, Sample[]] = [Number.NaN, []]
    for (const sample of samples) {
      const isOfDay = sample.atMs >= startMs && sample.atMs < startMs + DAY_MS
      if (!isOfDay) {
        startMs = Math.floor(sample.atMs / DAY_MS) * DAY_MS
        const key = { type, day: utcDateOf(new Date(sample.atMs)), device, method, recordId }
        ofDay = changes.getOrInsertComputed(textOf(key), () => ({ ...key, kind, samples: [] })).samples
      }
      ofDay.push(sample)
    }
  }
  return [...changes.values()]
}

async function readDays(
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  keys: readonly DayKey[],
): Promise<StoredDay[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<StoredDay>`
    select s.type, s.day::text as day, s.device, s.method, s.record_id as "recordId", s.samples
    from jsonb_to_recordset(${JSON.stringify(keys.map(keyRow))}::jsonb) as k (
      type text, day date, device text, method text, record_id text)
    cross join lateral (
      select * from ${tableOf(owner)} d
      where d.user_id = ${owner.userId} and d.type = k.type and d.provider = ${owner.provider} and d.day = k.day
        and d.device = k.device and d.method = k.method and d.record_id = k.record_id
        and ${isOfImport(owner)}) s`.execute(transaction)
  return rows
}

const keyRow = ({ type, day, device, method, recordId }: DayKey) => ({ type, day, device, method, record_id: recordId })
const tableOf = (owner: SeriesOwner) => sql.table(`restwell.${owner.import ? "import_series_day" : "series_day"}`)
const isOfImport = (owner: SeriesOwner) =>
  owner.import ? sql<boolean>`import_id = ${owner.import.id}::uuid` : sql<boolean>`true`

interface Before {
  /** The rows that are replaced: those of the changes, and others that only lose samples. */
  readonly stored: readonly StoredDay[]
  /** Returns which stored samples of a day stay. @param day its `textOf` */
  readonly keptOf: (day: string) => (sample: Sample) => boolean
}

/** Joins stored and new samples, and writes the rows that differ. */
async function writeDays(
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  changes: readonly DayChange[],
  { stored, keptOf }: Before,
): Promise<SeriesChange> {
  const changed = new Map(changes.map((change) => [textOf(change), change]))
  const former = new Map(stored.map((row) => [textOf(row), row]))
  const written: WrittenDay[] = []
  const emptied: DayKey[] = []
  const leftOut: LeftOutOfDay[] = []
  let [added, unchanged] = [0, 0]
  for (const [text, key] of new Map<string, DayKey>([...former, ...changed])) {
    const packed = former.get(text)?.samples
    const before = packed ? samplesOf(unpackSamples(key.day, packed)) : []
    const joined = joinSamples(key.type, [...before.filter(keptOf(text)), ...(changed.get(text)?.samples ?? [])])
    leftOut.push(...joined.leftOut.map((one) => ({ ...one, day: key.day, recordId: key.recordId })))
    const count = joined.samples.length
    if (count === 0) {
      emptied.push(key)
      continue
    }
    const samples = packSamples(key.day, joined.samples)
    const equal = countEqual(before, joined.samples)
    added += count - equal
    unchanged += equal
    if (!packed?.equals(samples)) written.push({ ...key, count, samples, kind: changed.get(text)?.kind })
  }
  await deleteDays(transaction, owner, emptied)
  await upsertDays(transaction, owner, written)
  return { stored: added, unchanged, leftOut }
}

interface WrittenDay extends StoredDay {
  readonly count: number
  readonly kind: DeviceKind | undefined
}

/** How many samples both have. Both are in the order of `joinSamples`. */
function countEqual(before: readonly Sample[], after: readonly Sample[]): number {
  let [count, index] = [0, 0]
  for (const sample of after) {
    while (comesBefore(before[index], sample)) index += 1
    if (isEqual(before[index], sample)) count += 1
  }
  return count
}

const comesBefore = (one: Sample | undefined, other: Sample): boolean =>
  one !== undefined &&
  (one.atMs - other.atMs || one.value - other.value || (one.durationMs ?? 0) - (other.durationMs ?? 0)) < 0

const isEqual = (one: Sample | undefined, other: Sample): boolean =>
  one?.atMs === other.atMs &&
  one.value === other.value &&
  (one.durationMs ?? 0) === (other.durationMs ?? 0) &&
  one.utcOffsetMinutes === other.utcOffsetMinutes

async function deleteDays(
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  keys: readonly DayKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    delete from ${tableOf(owner)} d
    using jsonb_to_recordset(${JSON.stringify(keys.map(keyRow))}::jsonb) as k (
      type text, day date, device text, method text, record_id text)
    where d.user_id = ${owner.userId} and d.type = k.type and d.provider = ${owner.provider} and d.day = k.day
      and d.device = k.device and d.method = k.method and d.record_id = k.record_id
      and ${isOfImport(owner)}`.execute(transaction)
}

/** Rows of one statement. Each has up to ten values, and a statement at most 65,535. */
const ROWS_AT_ONCE = 1_000

async function upsertDays(
  transaction: Transaction<Database>,
  owner: SeriesOwner,
  days: readonly WrittenDay[],
): Promise<void> {
  const { userId, provider, import: brought } = owner
  const change = { count: sql<number>`excluded.count`, samples: sql<Buffer>`excluded.samples` }
  for (let start = 0; start < days.length; start += ROWS_AT_ONCE) {
    const rows = days.slice(start, start + ROWS_AT_ONCE).map(({ recordId, kind: _, ...row }) => ({
      user_id: userId,
      provider,
      record_id: recordId,
      ...row,
    }))
    if (brought)
      await transaction
        .insertInto("import_series_day")
        .values(
          rows.map((row, index) => ({
            ...row,
            import_id: brought.id,
            was_direct: brought.wasDirect,
            device_kind: days[start + index]?.kind ?? null,
          })),
        )
        .onConflict((conflict) => conflict.constraint("import_series_day_pkey").doUpdateSet(change))
        .execute()
    else
      await transaction
        .insertInto("series_day")
        .values(rows)
        .onConflict((conflict) => conflict.constraint("series_day_pkey").doUpdateSet(change))
        .execute()
  }
}

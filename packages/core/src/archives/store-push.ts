// What phones push. All pushes of one provider are one import of the person, which is always done: undoing it removes them all.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import {
  derivePushed,
  isKept,
  mergedRows,
  type PushedPiece,
  type PushedRow,
  rowKey,
  type Sample,
  type SampleSet,
  samplesOfRows,
  withClock,
} from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { datesOf } from "../base/calendar.ts"
import { applyEvent } from "../connect/connection-status.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { requestNotifying } from "../jobs/request-notifying.ts"
import { hasWebhooks } from "../outbox/outbox.ts"
import { type Database, growDataVersion } from "../store/database.ts"
import type { ImportReport, PushReport } from "../store/record-tables.ts"
import { deriveOffset } from "../store/statements/derive-dates.ts"
import { projectArchives } from "../store/statements/project-archives.ts"
import { daysOfNamed, packRows, readPushedDays, unpackRows, writePushedDays } from "../store/statements/pushed-days.ts"
import { mergeRecordSamples, mergeSamples, replaceSamplesOfRows } from "../store/statements/write-series.ts"
import { tellingRecords } from "../tell/record-events.ts"
import { addConnection, spanOf } from "./finish-import.ts"
import { countOf, limitDevices, limitRows } from "./limit-days.ts"
import { reportJson } from "./report-json.ts"
import { insertRecords } from "./stage-items.ts"
import { recordRow } from "./staged-item.ts"

/** What a piece of a push changed. */
export interface PieceChange extends Pick<PushReport, "stored" | "unchanged"> {
  readonly ignored: ReadonlyMap<string, number>
}

/**
 * Locks what a push changes, in the order in which the removal of an import does. The import of all pushes and its connection are made with
 * the first push.
 */
export async function lockPushes(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock" | "logger">,
  connection: ConnectionId,
): Promise<Pushes> {
  const push = { ...connection, id: await importOfPushes(transaction, connection, context.clock.now()) }
  await addConnection(transaction, context, push)
  return push
}

/**
 * Stores some rows of a push, and makes the records of their days again. The store depends on the rows alone: not on their order, on how
 * they were cut into pieces and pushes, or on how often they came. Webhooks are told of each record where the push is news.
 */
export async function storePiece(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock" | "logger">,
  push: Pushes,
  { rows, samples }: PushedPiece,
  { isNews }: { readonly isNews: boolean },
): Promise<PieceChange> {
  const now = context.clock.now()
  const timeZone = await timeZoneOf(transaction, push.userId)
  const merged = await mergeRows(
    transaction,
    push,
    rows.map((row) => withClock(row, timeZone)),
  )
  const limited = await limitDevices(transaction, push, samples)
  const change = await mergeSamples(transaction, ownerOf(push), limited.sets)
  const ignored = new Map(merged.ignored)
  const leftOut = [
    ...limited.leftOut,
    ...change.leftOut.map(({ type, reason, count }) => [`${type}: ${reason}`, count] as const),
  ]
  for (const [reason, count] of leftOut) ignored.set(reason, (ignored.get(reason) ?? 0) + count)
  const used = merged.used + countOf(samples) - leftOut.reduce((sum, [, count]) => sum + count, 0)
  const stored = merged.stored + change.stored
  const [first, last] = [merged.days[0], merged.days.at(-1)]
  if (first !== undefined && last !== undefined) {
    const isTold = isNews && (await hasWebhooks(transaction, push.userId))
    const range = isTold ? { from: new Date(first), to: new Date(last) } : undefined
    await tellingRecords(transaction, context, push, range, () =>
      deriveAgain(transaction, push, { changed: merged.days, replaced: merged.replaced, timeZone, now }),
    )
    if (last >= addDays(utcDateOf(now), -NEWS_DAYS)) await requestNotifying(transaction, push.userId)
  }
  return { stored, unchanged: Math.max(0, used - stored), ignored }
}

/** A change of an earlier UTC day is no news to anybody. */
const NEWS_DAYS = 2

/** All that a person's phones pushed of one provider. */
export interface Pushes extends ConnectionId {
  /** Of the import that has them. */
  readonly id: string
}

const ownerOf = ({ userId, provider, id }: Pushes) => ({ userId, provider, import: { id, wasDirect: true } })

/** Returns the id of the import, which is made with the first push. It is locked, so that a person's pushes go one after the other. */
async function importOfPushes(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  now: Date,
): Promise<string> {
  await sql`
    insert into restwell.import (user_id, file_name, kind, pushed_provider, status, includes_private, progress, created_at)
    values (${userId}, 'Pushes', 'push', ${provider}, 'done', false, 1, ${now})
    on conflict (user_id, pushed_provider) do nothing
  `.execute(transaction)
  const found = await transaction
    .selectFrom("import")
    .select("id")
    .where("user_id", "=", userId)
    .where("pushed_provider", "=", provider)
    .forUpdate()
    .executeTakeFirst()
  // It was removed while this transaction waited for its lock.
  return found?.id ?? importOfPushes(transaction, { userId, provider }, now)
}

interface MergedRows extends PieceChange {
  /** Rows that are stored, or were before. */
  readonly used: number
  /** The UTC days whose rows changed, oldest first. */
  readonly days: readonly string[]
  /** Former versions of rows with an id whose samples are stored among samples without rows. */
  readonly replaced: readonly PushedRow[]
}

/** Adds rows to the stored ones. */
async function mergeRows(
  transaction: Transaction<Database>,
  { userId, id }: Pushes,
  rows: readonly PushedRow[],
): Promise<MergedRows> {
  // A row with an id may have been moved to another day.
  const named = new Map(rows.flatMap((row) => (row.id === undefined ? [] : [[rowKey(row), dayOf(row)] as const])))
  const byDay = Map.groupBy(
    rows.filter((row) => row.id === undefined || named.get(rowKey(row)) === dayOf(row)),
    dayOf,
  )
  const former = await daysOfNamed(transaction, { userId, id }, named.keys())
  const packed = await readPushedDays(transaction, { userId, id }, [...new Set([...byDay.keys(), ...former])])
  const changed = new Map<string, ReturnType<typeof packRows>>()
  const replaced: PushedRow[] = []
  const ignored = new Map<string, number>()
  let [stored, dropped] = [0, 0]
  for (const day of new Set([...byDay.keys(), ...packed.keys()])) {
    const before = unpackRows(packed.get(day))
    const known = Map.groupBy(before, rowKey)
    for (const key of known.keys()) if ((named.get(key) ?? day) !== day) known.delete(key)
    for (const [key, pushed] of Map.groupBy(byDay.get(day) ?? [], rowKey))
      known.set(key, [...mergedRows(known.get(key) ?? [], pushed)])
    const all = new Map([...known.values()].flat().map((row) => [textOf(row), row]))
    const texts = new Set(before.map(textOf))
    const countFresh = () => all.keys().reduce((count, text) => count + (texts.has(text) ? 0 : 1), 0)
    const [size, came] = [all.size, countFresh()]
    const reason = limitRows(all)
    if (reason !== undefined) ignored.set(reason, (ignored.get(reason) ?? 0) + size - all.size)
    const fresh = countFresh()
    dropped += came - fresh
    if (fresh === 0 && all.size === texts.size) continue
    stored += fresh
    replaced.push(...before.filter((row) => row.id !== undefined && !isKept(row.type) && !all.has(textOf(row))))
    changed.set(day, packRows(all))
  }
  await writePushedDays(transaction, { userId, id }, changed)
  const used = rows.length - dropped
  return { stored, used, unchanged: used - stored, ignored, days: [...changed.keys()].toSorted(), replaced }
}

const dayOf = ({ startMs }: PushedRow): string => utcDateOf(new Date(startMs))
const textOf = (row: PushedRow): string => rowKey(row) + JSON.stringify(row)

/** Samples that are written at a time, so that those of many days are not in memory together. */
const SAMPLES_AT_ONCE = 20_000
interface Changed {
  /** UTC days. */
  readonly changed: readonly string[]
  readonly replaced: readonly PushedRow[]
  /** Of the person. */
  readonly timeZone: string
}

/** A night begins on the UTC day before its date, or two before it far east of Greenwich. */
const DAYS_AROUND = 2

/**
 * Makes the records and samples of the dates around some days again. Those of a date are made of the rows of the days around it alone, so
 * that they are the same whichever push came last.
 */
async function deriveAgain(
  transaction: Transaction<Database>,
  push: Pushes,
  { changed, replaced, timeZone, now }: Changed & { readonly now: Date },
): Promise<void> {
  const { userId, provider, id } = push
  const around = (day: string) => datesOf({ from: addDays(day, -DAYS_AROUND), to: addDays(day, DAYS_AROUND) })
  const dates = [...new Set(changed.flatMap(around))].toSorted()
  const rowsOf = unpackedDays(await readPushedDays(transaction, push, [...new Set(dates.flatMap(around))]))
  await replaceSamplesOf(transaction, push, { changed, replaced, rowsOf, timeZone })
  await sql`
    with removed as (
      delete from restwell.import_record where user_id = ${userId} and import_id = ${id} and date = any(${dates}::date[])
      returning provider_id
    )
    delete from restwell.import_series_day s using removed
    where s.user_id = ${userId} and s.import_id = ${id} and s.record_id = removed.provider_id
  `.execute(transaction)
  const archive = { provider, hasVendorIds: true, wasDirect: true }
  const records = dates.flatMap((date) => {
    const rows = rowsOf(around(date))
    return rows.length === 0 ? [] : derivePushed(rows, { date, timeZone, now })
  })
  const staged = records.map((archived) => recordRow(archive, archived))
  await insertRecords(transaction, { user_id: userId, import_id: id }, staged)
  const samples = records.flatMap(({ record }) =>
    record.kind === "sleep" && record.samples ? [{ recordId: record.providerId, sets: record.samples }] : [],
  )
  await mergeRecordSamples(transaction, ownerOf(push), samples)
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return
  const range = {
    from: new Date(`${addDays(first, -DAYS_AROUND)}T00:00:00Z`),
    to: new Date(`${addDays(last, DAYS_AROUND)}T00:00:00Z`),
    dates,
  }
  await projectArchives(transaction, push, range)
  await deriveOffset(transaction, push)
}

/** Samples are stored by all rows of their days: a row may be corrected, and a count may be another grouping of others. */
async function replaceSamplesOf(
  transaction: Transaction<Database>,
  push: Pushes,
  { changed, replaced, rowsOf, timeZone }: Changed & { readonly rowsOf: RowsOf },
): Promise<void> {
  const former = samplesOfRows(replaced, timeZone)
  // A local date is on two UTC days.
  const near = (day: string) => datesOf({ from: addDays(day, -1), to: addDays(day, 1) })
  let [days, sets]: [string[], SampleSet[]] = [[], []]
  for (const day of [...new Set(changed.flatMap(near))].toSorted()) {
    const isOfDay = ({ atMs }: Sample) => utcDateOf(new Date(atMs)) === day
    const ofRows = samplesOfRows(rowsOf(near(day)), timeZone)
    sets.push(...ofRows.map((set) => ({ ...set, samples: set.samples.filter(isOfDay) })))
    days.push(day)
    if (sets.reduce((sum, { samples }) => sum + samples.length, 0) < SAMPLES_AT_ONCE) continue
    await replaceSamplesOfRows(transaction, ownerOf(push), days, { sets, former })
    ;[days, sets] = [[], []]
  }
  if (days.length > 0) await replaceSamplesOfRows(transaction, ownerOf(push), days, { sets, former })
}

/** The rows of some neighbouring days. */
type RowsOf = (days: readonly string[]) => readonly PushedRow[]

/** As objects, the rows of the days at hand alone are in memory. */
function unpackedDays(packed: ReadonlyMap<string, Buffer>): RowsOf {
  let unpacked = new Map<string, PushedRow[]>()
  return (days) => {
    unpacked = new Map(days.map((day) => [day, unpacked.get(day) ?? unpackRows(packed.get(day))]))
    return [...unpacked.values()].flat()
  }
}

async function timeZoneOf(transaction: Transaction<Database>, userId: string): Promise<string> {
  const { time_zone: timeZone } = await transaction
    .selectFrom("person")
    .select("time_zone")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow()
  return timeZone ?? "UTC"
}

/** Shows the push as the newest one, and what all pushes have brought. */
export async function notePush(
  transaction: Transaction<Database>,
  { userId, id }: Pushes,
  { ignored }: Pick<ImportReport, "ignored">,
): Promise<void> {
  const span = await spanOf(transaction, { userId, id })
  const stored = Object.values(span.by_type).reduce((sum, count) => sum + count, 0)
  const report: ImportReport = { stored, unchanged: 0, ignored, notes: [], ...span }
  await sql`
    update restwell.import i set report = ${reportJson(report)}, size = (
      select coalesce(sum(octet_length(rows)), 0) from restwell.pushed_day d where d.user_id = i.user_id and d.import_id = i.id)
    where i.user_id = ${userId} and i.id = ${id}
  `.execute(transaction)
}

/** Shows the newest push. Answers contain its time, so the data version grows. */
export async function noteTime(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock" | "logger">,
  connection: ConnectionId,
): Promise<void> {
  const { userId, provider } = connection
  await applyEvent(transaction, context, connection, { type: "archive_stored" })
  await transaction
    .updateTable("connection")
    .set({ pushed_at: context.clock.now() })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  await growDataVersion(transaction, userId)
}

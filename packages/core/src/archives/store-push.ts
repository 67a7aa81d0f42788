// What phones push. All pushes of one provider are one import of the person, which is always done: undoing it removes them all.
import {
  countSamplesOf,
  derivePushed,
  mergedRows,
  type PushedRow,
  type PushedRows,
  plausibleSamples,
  rowKey,
  samplesOfRows,
  withClock,
} from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { addDays, datesOf, latestPossible, utcDateOf } from "../base/calendar.ts"
import { applyEvent } from "../connect/connection-status.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { Unauthorized, Unavailable } from "../context/errors.ts"
import type { Pusher } from "../people/ingest-tokens.ts"
import { type Database, growDataVersion, personTransaction } from "../store/database.ts"
import { isDiskLow, LOW_DISK } from "../store/database-trouble.ts"
import type { ImportReport } from "../store/record-tables.ts"
import { deriveOffset } from "../store/statements/derive-dates.ts"
import { projectArchives } from "../store/statements/project-archives.ts"
import { readPushedDays, writePushedDay } from "../store/statements/pushed-days.ts"
import { mergeSamples, replaceCounts } from "../store/statements/write-series.ts"
import { addConnection, spanOf } from "./finish-import.ts"
import { insertRecords } from "./stage-items.ts"
import { recordRow } from "./staged-item.ts"

/** What a push changed. */
export interface PushReport extends Pick<ImportReport, "stored" | "unchanged"> {
  readonly ignored: { reason: string; count: number }[]
}

const RETRY_AFTER_SECONDS = 300
const IN_FUTURE = "more than a day in the future"

/**
 * Stores the rows of a push, and makes the records of their days again, in one transaction. The store depends on the rows alone: not on
 * their order, on how they were cut into pushes, or on how often they came.
 * @throws {Unauthorized} when the token was ended meanwhile @throws {Unavailable} when the disk is nearly full
 */
export async function storePush(
  context: Context,
  { userId, tokenId }: Pusher,
  { provider, pushed }: { readonly provider: string; readonly pushed: PushedRows },
): Promise<PushReport> {
  if (await isDiskLow(context.disk)) throw new Unavailable(LOW_DISK, RETRY_AFTER_SECONDS)
  const now = context.clock.now()
  const latestMs = latestPossible(now).getTime()
  const rows = pushed.rows.filter(({ startMs, endMs }) => Math.max(startMs, endMs) <= latestMs)
  const ignored = new Map(pushed.ignored)
  const ignore = (reason: string, count: number) => {
    if (count > 0) ignored.set(reason, (ignored.get(reason) ?? 0) + count)
  }
  ignore(IN_FUTURE, pushed.rows.length - rows.length)
  return personTransaction(context.database, userId, async (transaction) => {
    await holdToken(transaction, { userId, tokenId })
    const push = { userId, provider, id: await importOfPushes(transaction, { userId, provider }, now) }
    await addConnection(transaction, context, push)
    const timeZone = await timeZoneOf(transaction, userId)
    const merged = await mergeRows(
      transaction,
      push,
      rows.map((row) => withClock(row, timeZone)),
    )
    let { stored } = merged
    let used = rows.length
    // All rows that came, and not only new ones: samples of equal instants are told apart by other rules than rows.
    await mergeSamples(transaction, ownerOf(push), samplesOfRows(rows))
    for (const set of pushed.samples) {
      const change = await mergeSamples(transaction, ownerOf(push), [plausibleSamples(set, now)])
      const leftOut = change.leftOut.reduce((sum, { count }) => sum + count, 0)
      for (const { type, reason, count } of change.leftOut) ignore(`${type}: ${reason}`, count)
      stored += change.stored
      used += set.samples.length - leftOut
    }
    if (merged.days.length > 0) await deriveAgain(transaction, push, { changed: merged.days, timeZone, now })
    await applyEvent(transaction, context, push, { type: "archive_stored" })
    const report = {
      stored,
      unchanged: Math.max(0, used - stored),
      ignored: [...ignored].map(([reason, count]) => ({ reason, count })),
    }
    await notePush(transaction, push, { now, report })
    return report
  })
}

/** All that a person's phones pushed of one provider. */
interface Pushes extends ConnectionId {
  /** Of the import that has them. */
  readonly id: string
}

const ownerOf = ({ userId, provider, id }: Pushes) => ({ userId, provider, import: { id, wasDirect: true } })

/** A token that is ended while its push is stored waits for the push. One that was ended before stores nothing. */
async function holdToken(transaction: Transaction<Database>, { userId, tokenId }: Pusher): Promise<void> {
  const { rows } = await sql`
    select from restwell.ingest_token where user_id = ${userId} and id = ${tokenId} for key share
  `.execute(transaction)
  if (rows.length === 0) throw new Unauthorized("invalid token: it was ended, make a new one on the page Connections")
}

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

/** Adds rows to the stored ones. @returns the UTC days whose rows changed, oldest first */
async function mergeRows(
  transaction: Transaction<Database>,
  { userId, id }: Pushes,
  rows: readonly PushedRow[],
): Promise<{ readonly stored: number; readonly days: readonly string[] }> {
  const byDay = Map.groupBy(rows, dayOf)
  // A row with an id may have been moved over midnight.
  const named = new Map(rows.flatMap((row) => (row.id === undefined ? [] : [[rowKey(row), dayOf(row)] as const])))
  const beside = [...new Set(named.values())].flatMap((day) => [addDays(day, -1), addDays(day, 1)])
  const stored = await readPushedDays(transaction, { userId, id }, [...new Set([...byDay.keys(), ...beside])])
  const changed: string[] = []
  let count = 0
  for (const day of new Set([...byDay.keys(), ...stored.keys()])) {
    const known = Map.groupBy(stored.get(day) ?? [], rowKey)
    const moved = [...known.keys()].filter((key) => (named.get(key) ?? day) !== day)
    for (const key of moved) known.delete(key)
    let fresh = 0
    for (const [key, pushed] of Map.groupBy(byDay.get(day) ?? [], rowKey)) {
      if ((named.get(key) ?? day) !== day) continue
      const before = known.get(key) ?? []
      const merged = mergedRows(before, pushed)
      const texts = new Set(before.map(textOf))
      const added = merged.filter((row) => !texts.has(textOf(row))).length
      if (added === 0 && merged.length === before.length) continue
      known.set(key, [...merged])
      fresh += added
    }
    if (fresh === 0 && moved.length === 0) continue
    count += fresh
    const all = [...known.values()].flat()
    await writePushedDay(transaction, { userId, id }, { day, rows: new Map(all.map((row) => [textOf(row), row])) })
    changed.push(day)
  }
  return { stored: count, days: changed.toSorted() }
}

const dayOf = ({ startMs }: PushedRow): string => utcDateOf(new Date(startMs))
const textOf = (row: PushedRow): string => rowKey(row) + JSON.stringify(row)

/** A night begins on the UTC day before its date, or two before it far east of Greenwich. */
const DAYS_AROUND = 2

/**
 * Makes the records and samples of the dates around some days again. Those of a date are made of the rows of the days around it alone, so
 * that they are the same whichever push came last.
 */
async function deriveAgain(
  transaction: Transaction<Database>,
  push: Pushes,
  { changed, timeZone, now }: { readonly changed: readonly string[]; readonly timeZone: string; readonly now: Date },
): Promise<void> {
  const { userId, provider, id } = push
  const around = (day: string) => datesOf({ from: addDays(day, -DAYS_AROUND), to: addDays(day, DAYS_AROUND) })
  const dates = [...new Set(changed.flatMap(around))].toSorted()
  const stored = await readPushedDays(transaction, push, [...new Set(dates.flatMap(around))])
  await replaceCountsOf(transaction, push, { changed, stored, timeZone })
  await sql`
    with removed as (
      delete from restwell.import_record where user_id = ${userId} and import_id = ${id} and date = any(${dates}::date[])
      returning provider_id
    )
    delete from restwell.import_series_day s using removed
    where s.user_id = ${userId} and s.import_id = ${id} and s.record_id = removed.provider_id
  `.execute(transaction)
  for (const date of dates) {
    const rows = around(date).flatMap((day) => stored.get(day) ?? [])
    if (rows.length === 0) continue
    const records = derivePushed(rows, { provider, date, timeZone, now })
    const archive = { provider, hasVendorIds: true }
    const staged = records.map((archived) => ({ ...recordRow(archive, archived), was_direct: true }))
    await insertRecords(transaction, { user_id: userId, import_id: id }, staged)
    for (const { record } of records)
      if (record.kind === "sleep" && record.samples)
        await mergeSamples(transaction, ownerOf(push), record.samples, record.providerId)
  }
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

/** Counts are stored as samples by all rows of their days: a count may be corrected, or be another grouping of others. */
async function replaceCountsOf(
  transaction: Transaction<Database>,
  push: Pushes,
  {
    changed,
    stored,
    timeZone,
  }: {
    readonly changed: readonly string[]
    readonly stored: ReadonlyMap<string, readonly PushedRow[]>
    readonly timeZone: string
  },
): Promise<void> {
  // A local date is on two UTC days.
  const near = (day: string) => datesOf({ from: addDays(day, -1), to: addDays(day, 1) })
  const days = new Set(changed.flatMap(near))
  const rows = [...new Set([...days].flatMap(near))].toSorted().flatMap((day) => stored.get(day) ?? [])
  const sets = countSamplesOf(rows, timeZone).map((set) => ({
    ...set,
    samples: set.samples.filter(({ atMs }) => days.has(utcDateOf(new Date(atMs)))),
  }))
  await replaceCounts(transaction, ownerOf(push), [...days], sets)
}

async function timeZoneOf(transaction: Transaction<Database>, userId: string): Promise<string> {
  const { time_zone: timeZone } = await transaction
    .selectFrom("person")
    .select("time_zone")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow()
  return timeZone ?? "UTC"
}

/** Shows the push as the newest one, and what all pushes have brought. Answers contain its time, so the data version grows. */
async function notePush(
  transaction: Transaction<Database>,
  { userId, provider, id }: Pushes,
  { now, report: { ignored } }: { readonly now: Date; readonly report: PushReport },
): Promise<void> {
  const span = await spanOf(transaction, { userId, id })
  const stored = Object.values(span.by_type).reduce((sum, count) => sum + count, 0)
  const report: ImportReport = { stored, unchanged: 0, ignored, notes: [], ...span }
  await sql`
    update restwell.import i set report = ${JSON.stringify(report)}, size = (
      select coalesce(sum(octet_length(rows)), 0) from restwell.pushed_day d where d.user_id = i.user_id and d.import_id = i.id)
    where i.user_id = ${userId} and i.id = ${id}
  `.execute(transaction)
  await transaction
    .updateTable("connection")
    .set({ pushed_at: now })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  await growDataVersion(transaction, userId)
}

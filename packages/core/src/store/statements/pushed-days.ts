// The rows that phones pushed, by UTC day: gzip of JSON in a column.
import { createHash } from "node:crypto"
import { gunzipSync, gzipSync } from "node:zlib"
import { type PushedRow, rowKey } from "@restwell/providers"
import { type Kysely, sql, type Transaction } from "kysely"
import { instantText } from "../../base/calendar.ts"
import { type Database, readPages } from "../database.ts"

/** The import that has all pushes of a person from one provider. */
export interface PushesKey {
  readonly userId: string
  readonly id: string
}

/** The rows of a day as they are stored. */
interface PackedDay {
  readonly rows: Buffer
  readonly ids: number[]
}

/** Equal hashes of two rows only cost the read of a day. */
const hashOf = (key: string): number => createHash("sha256").update(key).digest().readInt32BE()

/** Rows as bytes: equal rows give equal bytes. @param rows by what identifies each */
export function packRows(rows: ReadonlyMap<string, PushedRow>): PackedDay {
  const ordered = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const named = ordered.filter(({ id }) => id !== undefined)
  return { rows: gzipSync(JSON.stringify(ordered)), ids: named.map((row) => hashOf(rowKey(row))) }
}

/** The days that have a version of some rows with ids, and perhaps others. @param keys of the rows */
export async function daysOfNamed(
  transaction: Transaction<Database>,
  { userId, id }: PushesKey,
  keys: Iterable<string>,
): Promise<readonly string[]> {
  const hashes = [...keys].map(hashOf)
  if (hashes.length === 0) return []
  const { rows } = await sql<{ day: string }>`
    select day::text as day from restwell.pushed_day d
    where user_id = ${userId} and import_id = ${id}
      and exists (select from unnest(d.ids) as named (hash) where named.hash = any(${hashes}::integer[]))
  `.execute(transaction)
  return rows.map(({ day }) => day)
}

/** Rows as this file packed them. A day without rows has no bytes. */
export const unpackRows = (packed: Buffer | undefined): PushedRow[] =>
  packed ? JSON.parse(gunzipSync(packed).toString()) : []

/** The rows of some days, as `unpackRows` takes them. */
export async function readPushedDays(
  transaction: Transaction<Database>,
  { userId, id }: PushesKey,
  days: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = await transaction
    .selectFrom("pushed_day")
    .select([sql<string>`day::text`.as("day"), "rows"])
    .where("user_id", "=", userId)
    .where("import_id", "=", id)
    .where(sql<boolean>`day = any(${days}::date[])`)
    .execute()
  return new Map(found.map(({ day, rows }) => [day, rows]))
}

/** Replaces the rows of some days. @param changed by day, as `packRows` packs them */
export async function writePushedDays(
  transaction: Transaction<Database>,
  { userId, id }: PushesKey,
  changed: ReadonlyMap<string, PackedDay>,
): Promise<void> {
  if (changed.size === 0) return
  await transaction
    .insertInto("pushed_day")
    .values([...changed].map(([day, packed]) => ({ user_id: userId, import_id: id, day, ...packed })))
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "import_id", "day"])
        .doUpdateSet((row) => ({ rows: row.ref("excluded.rows"), ids: row.ref("excluded.ids") })),
    )
    .execute()
}

/** Days that are read at once. */
const PAGE_DAYS = 20
const FIRST = { provider: "", day: "0001-01-01" }

/** Pages of all rows of a person as an export has them, by provider and day. */
export async function* pushedRowPages(database: Kysely<Database>, userId: string): AsyncGenerator<object[], void> {
  const pages = readPages(PAGE_DAYS, async (after: typeof FIRST = FIRST) => {
    const { rows } = await sql<{ provider: string; day: string; rows: Buffer }>`
      select i.pushed_provider as provider, d.day::text as day, d.rows
      from restwell.pushed_day d join restwell.import i on i.user_id = d.user_id and i.id = d.import_id
      where d.user_id = ${userId} and (i.pushed_provider, d.day) > (${after.provider}, ${after.day}::date)
      order by i.pushed_provider, d.day limit ${PAGE_DAYS}`.execute(database)
    return rows
  })
  for await (const page of pages)
    yield page.flatMap(({ provider, rows }) => unpackRows(rows).map((row) => exported(provider, row)))
}

const exported = (provider: string, { startMs, endMs, utcOffsetMinutes, source, ...row }: PushedRow): object => ({
  provider,
  source: source || null,
  start: instantText(startMs),
  end: instantText(endMs),
  utc_offset_minutes: utcOffsetMinutes ?? null,
  ...row,
})

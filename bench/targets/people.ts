/** More people for a benchmark: copies, made in the database, of a person whose records were synced. Each has its own key. */
import { generateApiKey, parseApiKey } from "@restwell/core"
import type { Client } from "pg"
import { writtenColumns } from "./written-columns.ts"

export interface BenchPerson {
  readonly userId: string
  readonly key: string
}

export interface CopyOptions {
  /** The beginning of their ids. */
  readonly prefix: string
  readonly count: number
  /** Days of their history. */
  readonly days: number
  /** The status of their connection. @default "ok" */
  readonly status?: "ok" | "reauthorization_required"
}

/** The tables that are copied, with all their columns. A copied connection is never due for a sync. */
const tablesOf = ({ days, status = "ok" }: CopyOptions) => [
  {
    table: "connection",
    changes: `, 'next_sync_at', now() + interval '1 year', 'last_synced_at', now(), 'status', '${status}'`,
    where: "true",
  },
  { table: "profile", changes: "", where: "true" },
  { table: "record", changes: "", where: `o.date > current_date - ${days} or o.date is null` },
]

export async function copyPeople(client: Client, original: BenchPerson, options: CopyOptions): Promise<BenchPerson[]> {
  const { prefix, count } = options
  const people = Array.from({ length: count }, (_, index) => ({ userId: `${prefix}-${index}`, ...newKey() }))
  const ids = people.map(({ userId }) => userId)
  await client.query("begin")
  await client.query(
    `insert into restwell."user" (id, name, email, "emailVerified", "updatedAt")
     select id, 'Copy', id || '@example.com', false, now() from unnest($1::text[]) id`,
    [ids],
  )
  await client.query(
    `update restwell.person p set data_version = o.data_version, utc_offset_minutes = o.utc_offset_minutes, time_zone = o.time_zone
     from restwell.person o where p.user_id = any ($1) and o.user_id = $2`,
    [ids, original.userId],
  )
  await client.query(
    `insert into restwell.api_key (user_id, key_hash, prefix, created_at)
     select user_id, key_hash, 'rw_bench', now() from unnest($1::text[], $2::bytea[]) as k (user_id, key_hash)`,
    [ids, people.map(({ keyHash }) => keyHash)],
  )
  for (const { table, changes, where } of tablesOf(options)) {
    const columns = await writtenColumns(client, table)
    await client.query(
      `insert into restwell.${table} (${columns}) select ${columns} from (
         select (jsonb_populate_record(o, jsonb_build_object('user_id', id${changes}))).*
         from unnest($1::text[]) id, restwell.${table} o where o.user_id = $2 and (${where})) copied`,
      [ids, original.userId],
    )
  }
  // The service opens the month of a person at the first read. A peer does not.
  await client.query(
    `insert into restwell.usage (user_id, month, used, by_day)
     select id, date_trunc('month', now() at time zone 'UTC')::date, 0, array_fill(0, array[31]) from unnest($1::text[]) id
     on conflict do nothing`,
    [ids],
  )
  await client.query("commit")
  // As after autovacuum.
  await client.query("vacuum (analyze)")
  return people
}

/** Gives people more sources that measured the same nights and workouts as the first one. */
export async function addSources(
  client: Client,
  people: readonly BenchPerson[],
  providers: readonly string[],
): Promise<void> {
  const ids = people.map(({ userId }) => userId)
  for (const table of ["connection", "record"]) {
    const columns = await writtenColumns(client, table)
    await client.query(
      `insert into restwell.${table} (${columns}) select ${columns} from (
         select (jsonb_populate_record(o, jsonb_build_object('provider', p.provider))).*
         from restwell.${table} o cross join unnest($2::text[]) as p (provider) where o.user_id = any ($1)) copied`,
      [ids, providers],
    )
  }
  await client.query("vacuum (analyze)")
}

/** The person behind a key. */
export async function findPerson(client: Client, key: string): Promise<BenchPerson> {
  const { rows } = await client.query<{ user_id: string }>(
    "select user_id from restwell.api_key where key_hash = decode($1, 'hex')",
    [parseApiKey(key)?.keyHash],
  )
  const userId = rows[0]?.user_id
  if (userId === undefined) throw new Error("no person has this key")
  return { userId, key }
}

function newKey(): { key: string; keyHash: Buffer } {
  const { text, keyHash } = generateApiKey()
  return { key: text, keyHash: Buffer.from(keyHash, "hex") }
}

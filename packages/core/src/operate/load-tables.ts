/** Fills the empty tables of a new schema. Keys of other tables, indexes and triggers come after the rows, which is several times faster. */

import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ClientBase } from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { SCHEMA } from "../store/database.ts"
import { type ReadOptions, UnusableBackup } from "./backup-archive.ts"
import {
  type BackupSequences,
  type BackupTable,
  columnList,
  inSchema,
  type VerifiedBackup,
  verifyBackup,
} from "./backup-content.ts"

/** Index builds need memory. PostgreSQL's own default of 64 MB makes them sort on disk. */
const INDEX_MEMORY = "128MB"

/** The part of the time that the rows take. The rest is for indexes and keys. */
const SHARE_OF_ROWS = 0.7

export interface LoadOptions extends ReadOptions {
  readonly path: string
  readonly backup: VerifiedBackup
}

/** Loads all rows of a verified file, within the connection's transaction. The file is checked once more, because anybody may change it meanwhile. */
export async function loadTables(client: ClientBase, { path, backup, onProgress, signal }: LoadOptions): Promise<void> {
  await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`)
  const later = await takeAway(client)
  const { digest, sequences } = await verifyBackup(path, {
    signal,
    onProgress: (share) => onProgress?.(share * SHARE_OF_ROWS),
    onTable: (table, text) => loadTable(client, table, text),
  })
  if (digest !== backup.digest)
    throw new UnusableBackup(`${path} was changed while it was read: run the command again. Nothing was changed`)
  await setSequences(client, sequences)
  for (const [index, statement] of later.entries()) {
    signal?.throwIfAborted()
    onProgress?.(SHARE_OF_ROWS + (1 - SHARE_OF_ROWS) * (index / later.length))
    await client.query(statement)
  }
}

async function loadTable(client: ClientBase, table: BackupTable, text: AsyncIterable<Buffer>): Promise<void> {
  const { name, rows } = table
  // The rows are as old as their table, which no other transaction has seen.
  const copy = client.query(
    copyFrom(`copy ${inSchema(client, name)} (${columnList(client, table)}) from stdin with (freeze)`),
  )
  await pipeline(Readable.from(text, { objectMode: true }), copy)
  if (copy.rowCount !== rows)
    throw new UnusableBackup(`${name} has ${copy.rowCount} rows instead of ${rows}. Nothing was changed`)
}

/** Drops foreign keys and indexes that enforce nothing, and disables triggers. @returns the statements that bring them back, in order */
async function takeAway(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ away: string; back: string; rank: number }>(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as away,
       format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as back, 2 as rank
     from pg_constraint c where c.connamespace = $1::regnamespace and c.contype = 'f' and c.conparentid = 0
     union all
     select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 1
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relnamespace = $1::regnamespace and t.relkind = 'r' and not i.indisunique and not t.relispartition
     union all
     select distinct format('alter table %s disable trigger user', t.tgrelid::regclass),
       format('alter table %s enable trigger user', t.tgrelid::regclass), 3
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = $1::regnamespace and not t.tgisinternal
     order by rank, back`,
    [SCHEMA],
  )
  for (const { away } of rows) await client.query(away)
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [SCHEMA],
  )
  return [...rows.map(({ back }) => back), ...tables.map(({ name }) => `analyze ${name}`)]
}

async function setSequences(client: ClientBase, sequences: BackupSequences): Promise<void> {
  for (const { name, last_value, is_called } of sequences)
    await client.query("select setval($1::regclass, $2::bigint, $3)", [inSchema(client, name), last_value, is_called])
}

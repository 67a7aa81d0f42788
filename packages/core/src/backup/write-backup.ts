import type { Pool, PoolClient } from "pg"
import { to as copyTo } from "pg-copy-streams"
import { createTokenCipher, type Secrets } from "../crypto/token-cipher.ts"
import { SCHEMA } from "../store/database.ts"
import { abandon } from "../store/open-pool.ts"
import { KIND } from "./blocks.ts"
import {
  columnsOf,
  describeSequences,
  describeTables,
  inSchema,
  PLAIN_SESSION,
  type StoredTable,
} from "./describe-tables.ts"
import { type BackupHeader, FORMAT } from "./parts.ts"
import { type BlockWriter, createBlockWriter } from "./write-blocks.ts"

/** There is nothing to back up. The message is for the operator. */
export class NoData extends Error {
  override readonly name = "NoData"
}

export interface WriteOptions {
  /** Receives the bytes of the file in their order. */
  readonly write: (bytes: Buffer) => Promise<void>
  readonly secrets: Secrets
  /** Whether the file contains the secrets. */
  readonly hasSecret: boolean
  /** The program's version. */
  readonly program: string
  readonly now: Date
  /** Receives the part that is done, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface WrittenRows {
  readonly people: number
  readonly rows: number
}

/**
 * Writes all rows of the schema as they were at one moment, while others read and change them.
 * @throws {NoData} when the database has no tables of Restwell
 */
export async function writeBackup(pool: Pool, options: WriteOptions): Promise<WrittenRows> {
  const client = await pool.connect()
  try {
    await client.query("begin isolation level repeatable read read only")
    await client.query(PLAIN_SESSION)
    const written = await writeAll(client, options)
    await client.query("commit")
    client.release()
    return written
  } catch (error) {
    abandon(client)
    throw error
  }
}

async function writeAll(client: PoolClient, options: WriteOptions): Promise<WrittenRows> {
  const { secrets, hasSecret, signal } = options
  const migrations = await readMigrations(client)
  const tables = await describeTables(client)
  const blocks = await createBlockWriter(options.write)
  await blocks.addJson(KIND.header, await headerOf(client, { ...options, migrations, tables }))
  if (hasSecret) await blocks.addJson(KIND.secrets, secrets)
  const advance = progressOf(tables, options.onProgress)
  const counts = new Map<string, number>()
  for (const table of tables) {
    signal?.throwIfAborted()
    counts.set(table.name, await writeTable(client, { table, blocks, signal, advance }))
    advance(table, Number.POSITIVE_INFINITY)
  }
  // Read after the rows: no row of this moment has a number that comes later.
  await blocks.addJson(KIND.sequences, await describeSequences(client))
  await blocks.end()
  return { people: counts.get("person") ?? 0, rows: counts.values().reduce((sum, count) => sum + count, 0) }
}

async function readMigrations(client: PoolClient): Promise<string[]> {
  const table = `${SCHEMA}.kysely_migration`
  const { rows: found } = await client.query<{ oid: string | null }>("select to_regclass($1) as oid", [table])
  const { rows } =
    found[0]?.oid == null
      ? { rows: [] }
      : await client.query<{ name: string }>(`select name from ${table} order by name`)
  if (rows.length === 0) throw new NoData("this database has no data of Restwell: there is nothing to back up")
  return rows.map(({ name }) => name)
}

async function headerOf(
  client: PoolClient,
  {
    now,
    program,
    secrets,
    hasSecret,
    migrations,
    tables,
  }: WriteOptions & { readonly migrations: string[]; readonly tables: readonly StoredTable[] },
): Promise<BackupHeader> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version")
  return {
    format: FORMAT,
    program,
    created_at: now.toISOString(),
    postgres: rows[0]?.version ?? "",
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    key_id: createTokenCipher(secrets).currentKeyId(),
    has_secret: hasSecret,
  }
}

type Advance = (table: StoredTable, bytes: number) => void

async function writeTable(
  client: PoolClient,
  {
    table,
    blocks,
    signal,
    advance,
  }: { table: StoredTable; blocks: BlockWriter; signal: AbortSignal | undefined; advance: Advance },
): Promise<number> {
  await blocks.addJson(KIND.table, { name: table.name })
  const copy = client.query(
    copyTo(`copy (select ${columnsOf(client, table)} from ${inSchema(client, table.name)}) to stdout`),
  )
  let bytes = 0
  async function* watched(): AsyncIterable<Buffer> {
    for await (const chunk of copy) {
      signal?.throwIfAborted()
      bytes += chunk.length
      advance(table, bytes)
      yield chunk
    }
  }
  await blocks.addStream(KIND.rows, watched())
  // The number of rows arrives after the last of them, and before the answer of the next statement.
  await client.query("select 1")
  await blocks.addJson(KIND.tableEnd, { rows: copy.rowCount })
  return copy.rowCount
}

/** Estimates the part that is done from the sizes of the tables on disk. */
function progressOf(tables: readonly StoredTable[], onProgress: WriteOptions["onProgress"]): Advance {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1
  let before = 0
  return ({ bytes: size }, bytes) => {
    onProgress?.((before + Math.min(bytes, size)) / total)
    if (bytes === Number.POSITIVE_INFINITY) before += size
  }
}

import type { Pool, PoolClient } from "pg"
import { to as copyTo } from "pg-copy-streams"
import { createTokenCipher, type Secrets } from "../base/encryption.ts"
import { OperatorMessage } from "../base/operator-errors.ts"
import { SCHEMA } from "../store/database.ts"
import { abandon } from "../store/pool.ts"
import { type ArchiveFile, writeArchive } from "./backup-archive.ts"
import {
  type BackupHeader,
  columnList,
  describeSequences,
  describeTables,
  FILES,
  FORMAT,
  inSchema,
  jsonFile,
  PLAIN_SESSION,
  type StoredTable,
  tableFile,
} from "./backup-content.ts"

/** Most bytes of a file with rows. Larger ones compress no better. */
const PART_BYTES = 8 * 1024 * 1024

/** There is nothing to back up. */
export class NoData extends OperatorMessage {
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
  const migrations = await readMigrations(client)
  const tables = await describeTables(client)
  const header = await headerOf(client, { ...options, migrations, tables })
  await writeArchive(filesOf(client, { ...options, header, tables }), options)
  return {
    people: tables.find(({ name }) => name === "person")?.rows ?? 0,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  }
}

interface FilesOptions extends WriteOptions {
  readonly header: BackupHeader
  readonly tables: readonly StoredTable[]
}

async function* filesOf(client: PoolClient, options: FilesOptions): AsyncGenerator<ArchiveFile> {
  const { header, secrets, hasSecret, tables, onProgress, signal } = options
  yield jsonFile(FILES.header, header)
  if (hasSecret) yield jsonFile(FILES.secrets, secrets)
  const advance = progressOf(tables, onProgress)
  for (const table of tables) {
    signal?.throwIfAborted()
    let part = 0
    for await (const content of inParts(readTable(client, { table, signal, advance })))
      yield { name: tableFile(table.name, ++part), content }
    advance(table, Number.POSITIVE_INFINITY)
  }
  // Read after the rows: no row of this moment has a number that comes later.
  yield jsonFile(FILES.sequences, await describeSequences(client))
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
  const { rows: found } = await client.query<{ version: string }>("select current_setting('server_version') as version")
  return {
    format: FORMAT,
    program,
    created_at: now.toISOString(),
    postgres: found[0]?.version ?? "",
    migrations,
    tables: tables.map(({ name, columns, rows }) => ({ name, columns, rows })),
    key_id: createTokenCipher(secrets).currentKeyId(),
    has_secret: hasSecret,
  }
}

type Advance = (table: StoredTable, bytes: number) => void

interface TableOptions {
  readonly table: StoredTable
  readonly signal: AbortSignal | undefined
  readonly advance: Advance
}

/** The rows of a table as COPY writes them. */
async function* readTable(client: PoolClient, { table, signal, advance }: TableOptions): AsyncGenerator<Buffer> {
  const copy = client.query(
    copyTo(`copy (select ${columnList(client, table)} from ${inSchema(client, table.name)}) to stdout`),
  )
  let bytes = 0
  for await (const chunk of copy) {
    signal?.throwIfAborted()
    bytes += chunk.length
    advance(table, bytes)
    yield chunk
  }
}

const LINE_END = 0x0a

/** Joins chunks to parts of almost the full length, which end where a line ends. A line longer than a part goes on in the next one. */
async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer<ArrayBuffer>> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    length += chunk.length
    while (length > PART_BYTES) {
      const all = Buffer.concat(waiting)
      const cut = all.lastIndexOf(LINE_END, PART_BYTES - 1) + 1 || PART_BYTES
      yield all.subarray(0, cut)
      waiting = [all.subarray(cut)]
      length -= cut
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
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

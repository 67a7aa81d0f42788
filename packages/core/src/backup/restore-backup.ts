import type { ClientBase, Pool, PoolClient } from "pg"
import type { TokenCipher } from "../crypto/token-cipher.ts"
import { reencryptSecrets } from "../reencrypt/reencrypt-secrets.ts"
import { SCHEMA } from "../store/database.ts"
import { beginMigration, migrateTo } from "../store/migrate.ts"
import { abandon } from "../store/open-pool.ts"
import { PLAIN_SESSION } from "./describe-tables.ts"
import { findRunningService } from "./find-running-service.ts"
import { loadTables } from "./load-tables.ts"
import { nestedDatabase } from "./nested-database.ts"
import type { ReadOptions } from "./read-blocks.ts"
import { UnusableBackup } from "./unusable-backup.ts"
import type { VerifiedBackup } from "./verify-backup.ts"

/** The schema of the job queue. A restored service creates it again: connections that are due, events and uploads that wait are in our own tables. */
const JOBS_SCHEMA = "restwell_jobs"

/** The database must not be replaced. The message is for the operator. */
export class NotRestored extends Error {
  override readonly name = "NotRestored"
}

export interface RestoreOptions extends ReadOptions {
  readonly path: string
  readonly backup: VerifiedBackup
  /** Whether existing accounts may be replaced. */
  readonly replaces: boolean
  /** The name of a connection of this process that is no running service. */
  readonly ownConnection?: string | undefined
  /** Re-encrypts stored tokens with this. @default they stay as they are */
  readonly cipher?: TokenCipher | undefined
  /** Runs when all rows are there, just before they become visible. */
  readonly beforeCommit: () => Promise<void>
}

/**
 * Replaces all rows by those of a verified backup, in one transaction: however it ends, the database is as before or restored.
 * @returns the rows of each table
 * @throws {NotRestored} when Restwell runs on the database, or it has accounts and `replaces` is false
 * @throws {UnusableBackup} when this program cannot read the rows
 */
export async function restoreBackup(pool: Pool, options: RestoreOptions): Promise<ReadonlyMap<string, number>> {
  const client = await pool.connect()
  try {
    await client.query("begin")
    await client.query(PLAIN_SESSION)
    const restored = await restoreAll(client, options)
    await options.beforeCommit()
    options.signal?.throwIfAborted()
    await client.query("commit")
    client.release()
    return restored
  } catch (error) {
    abandon(client)
    throw error
  }
}

async function restoreAll(client: PoolClient, options: RestoreOptions): Promise<ReadonlyMap<string, number>> {
  const { backup, path, replaces, cipher, ownConnection, onProgress, signal } = options
  const database = nestedDatabase(client)
  if (!(await beginMigration(database)))
    throw new NotRestored("another process changes the tables now: try again in a moment")
  if (await findRunningService(client, { ownConnection, signal }))
    throw new NotRestored(
      "Restwell runs on this database: stop every process of it first, and restart a connection pooler that keeps their sessions. Nothing was changed",
    )
  if (!replaces && (await hasAccounts(client)))
    throw new NotRestored(
      "this database has accounts already: give --replace to replace all of its data by the backup. Nothing was changed",
    )
  await client.query(`drop schema if exists ${SCHEMA} cascade; drop schema if exists ${JOBS_SCHEMA} cascade`)
  await migrateTo(database, backup.header.migrations.at(-1))
  await refuseOtherColumns(client, backup)
  const rows = await loadTables(client, { path, header: backup.header, onProgress, signal })
  await migrateTo(database)
  if (cipher) await reencryptSecrets({ database, cipher })
  return rows
}

async function hasAccounts(client: ClientBase): Promise<boolean> {
  const table = `${SCHEMA}."user"`
  const { rows: found } = await client.query<{ oid: string | null }>("select to_regclass($1) as oid", [table])
  if (found[0]?.oid == null) return false
  const { rows } = await client.query(`select 1 from ${table} limit 1`)
  return rows.length > 0
}

/** The schema of a version is the same everywhere once it is released. */
async function refuseOtherColumns(client: ClientBase, { header }: VerifiedBackup): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select c.relname as name, a.attname as column from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')`,
    [SCHEMA],
  )
  const known = new Set(rows.map(({ name, column }) => `${name}.${column}`))
  for (const { name, columns } of header.tables)
    for (const column of columns)
      if (!known.has(`${name}.${column.name}`))
        throw new UnusableBackup(
          `the backup has ${name}.${column.name}, which this Restwell does not know: restore it with the version that made it (${header.program}). Nothing was changed`,
        )
}

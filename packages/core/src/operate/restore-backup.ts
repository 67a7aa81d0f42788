import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely"
import { type ClientBase, DatabaseError, type Pool, type PoolClient } from "pg"
import type { TokenCipher } from "../base/encryption.ts"
import { OperatorMessage } from "../base/operator-errors.ts"
import { type Database, SCHEMA } from "../store/database.ts"
import { beginMigration, migrateTo } from "../store/migrate.ts"
import { abandon, isBehindPooler } from "../store/pool.ts"
import { UnusableBackup } from "./backup-archive.ts"
import { madeUp, PLAIN_SESSION, type VerifiedBackup } from "./backup-content.ts"
import { reencryptSecrets } from "./encrypted-data.ts"
import { type LoadOptions, loadTables } from "./load-tables.ts"

/** A process asks every two seconds for changed settings, also if nobody uses it. */
const QUIET_SECONDS = 7
const LOOK_EVERY_SECONDS = 0.5

/** Sessions of other connections of Restwell, all of which have its name, and of those the ones used lately. */
const COUNT = `select count(*)::int as open,
    count(*) filter (where state <> 'idle' or state_change > clock_timestamp() - make_interval(secs => $2))::int as used
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name ~* '^restwell' and application_name <> $1`

interface FindOptions {
  /** The name of a connection of this process. */
  readonly ownConnection: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * True if a process of Restwell uses the database. A pooler keeps the sessions of a process that has ended, and their names. Behind a pooler
 * a process runs if its sessions do not become quiet.
 */
async function isServiceRunning(client: ClientBase, options: FindOptions): Promise<boolean> {
  const isPooled = await isBehindPooler(client)
  for (let seconds = 0; ; seconds += LOOK_EVERY_SECONDS) {
    options.signal?.throwIfAborted()
    const { rows } = await client.query<{ open: number; used: number }>(COUNT, [
      options.ownConnection ?? "",
      QUIET_SECONDS,
    ])
    const [found] = rows
    if (!found || found.open === 0 || (isPooled && found.used === 0)) return false
    if (!isPooled || seconds > 2 * QUIET_SECONDS) return true
    // The list of sessions is one snapshot in a transaction.
    await client.query("select pg_sleep($1), pg_stat_clear_snapshot()", [LOOK_EVERY_SECONDS])
  }
}

/** Its transactions are savepoints of the connection's own transaction. */
class SavepointDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("savepoint nested"))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("release savepoint nested"))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback to savepoint nested"))
  }

  override async releaseConnection(): Promise<void> {
    // The connection stays with the transaction that it was made for.
  }
}

/** The database as a connection sees it within its open transaction. What is written stays only if that one is committed. */
function nestedDatabase(client: PoolClient): Kysely<Database> {
  const pool = { connect: async () => client, end: async () => {}, options: {} }
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new SavepointDriver({ pool }),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(SCHEMA)
}

/** The database must not be replaced. */
export class NotRestored extends OperatorMessage {
  override readonly name = "NotRestored"
}

interface RestoreOptions extends LoadOptions {
  /** Whether existing accounts may be replaced. */
  readonly replaces: boolean
  /** The name of a connection of this process that is no running service. */
  readonly ownConnection?: string | undefined
  /** Re-encrypts stored tokens with this. @default they stay as they are */
  readonly cipher?: TokenCipher | undefined
  /** Runs when all rows are there, just before they become visible to others. An error prevents that. */
  readonly beforeCommit: (database: Kysely<Database>) => Promise<void>
}

/**
 * Replaces all rows by those of a verified backup, in one transaction: however it ends, the database is as before or restored.
 * @throws {NotRestored} when Restwell runs on the database, or it has accounts and `replaces` is false
 * @throws {UnusableBackup} when this program cannot read the rows
 */
export async function restoreBackup(pool: Pool, options: RestoreOptions): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("begin")
    await client.query(PLAIN_SESSION)
    await restoreAll(client, options).catch(refuseContent)
    await options.beforeCommit(nestedDatabase(client))
    options.signal?.throwIfAborted()
    await client.query("commit")
    client.release()
  } catch (error) {
    abandon(client)
    throw error
  }
}

async function restoreAll(client: PoolClient, options: RestoreOptions): Promise<void> {
  const { backup, replaces, cipher, ownConnection, signal } = options
  const database = nestedDatabase(client)
  await lockSchema(client, database)
  if (await isServiceRunning(client, { ownConnection, signal }))
    throw new NotRestored(
      "Restwell runs on this database: stop every process of it first, and restart a connection pooler that keeps their sessions. Nothing was changed",
    )
  if (!replaces && (await hasAccounts(client)))
    throw new NotRestored(
      "this database has accounts already: give --replace to replace all of its data by the backup. Nothing was changed",
    )
  await client.query(`drop schema if exists ${SCHEMA} cascade`)
  await migrateTo(database, backup.header.migrations.at(-1))
  await refuseOtherColumns(client, backup)
  await loadTables(client, options)
  await migrateTo(database)
  if (cipher) await reencryptSecrets({ database, cipher })
}

/** A session that has just ended still holds the lock for a moment. */
const LOCK_TRIES = 10
const LOCK_TRY_SECONDS = 0.2

async function lockSchema(client: ClientBase, database: Kysely<Database>): Promise<void> {
  for (let tries = 1; !(await beginMigration(database)); tries += 1) {
    if (tries === LOCK_TRIES)
      throw new NotRestored("another process changes the tables now: try again in a moment. Nothing was changed")
    await client.query("select pg_sleep($1)", [LOCK_TRY_SECONDS])
  }
}

/**
 * Rows that the schema refuses make the backup unusable: another try would end the same way.
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html classes 21 to 23, 42 and 55: data and names that cannot be, 42501: rights
 */
function refuseContent(error: unknown): never {
  if (!(error instanceof DatabaseError && /^(?:2[123]|42(?!501)|55)/.test(error.code ?? ""))) throw error
  // The message of the error may have values of rows.
  throw madeUp(`PostgreSQL refuses what it has (error ${error.code})`, error)
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

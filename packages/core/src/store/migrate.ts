import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { type Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import { OperatorError } from "../base/operator-errors.ts"
import { type Database, SCHEMA } from "./database.ts"

const SCHEMA_FILES = new URL("schema/", import.meta.url)

/** The first schema. The files of `schema/` run in the order of their numbers. */
const initial = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const text of await readSchemaFiles()) await sql.raw(text).execute(database)
  },
}

/** Files in the order of their numbers: 2-people.sql runs before 10-others.sql. */
export const inOrderOfNumbers = (files: readonly string[]): string[] =>
  files.toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))

const readSchemaFiles = async (): Promise<string[]> =>
  await Promise.all(
    inOrderOfNumbers(await readdir(SCHEMA_FILES)).map((name) => readFile(new URL(name, SCHEMA_FILES), "utf8")),
  )

const MIGRATIONS = { "0001-initial": initial }

/** Whether this program has the migration. A newer one's may be missing. */
export const hasMigration = (name: string): boolean => Object.hasOwn(MIGRATIONS, name)

/** server_version_num of PostgreSQL 15, the oldest that has all that the schema uses. */
const OLDEST_SERVER = 150_000

/** This program cannot use the database. The message is for the operator, and nothing was changed. */
export class UnusableDatabase extends OperatorError {
  override readonly name = "UnusableDatabase"
}

/** A random constant: processes that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 7_320_118_462

/**
 * Brings the database to this version's schema. Safe when several processes start at once.
 * @throws {UnusableDatabase} when the server is too old or set up otherwise, or another version or build has made the schema
 */
export async function migrate(database: Kysely<Database>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await refuseUnsuitable(transaction)
    // Ends with the transaction, so that a pooler may give the session to others after it.
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
    await refuseOtherSchema(transaction)
    await migrateTo(transaction)
  })
}

/**
 * Keeps other processes from migrating until the connection's transaction ends. False if one does now.
 * @throws {UnusableDatabase} when the server is too old or set up otherwise
 */
export async function beginMigration(connection: Kysely<Database>): Promise<boolean> {
  await refuseUnsuitable(connection)
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`.execute(
    connection,
  )
  return rows[0]?.taken === true
}

/** Runs the migrations up to one of them. @param last @default the newest */
export async function migrateTo(connection: Kysely<Database>, last?: string): Promise<void> {
  await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(connection)
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => MIGRATIONS },
    migrationTableSchema: SCHEMA,
  })
  const { error, results } = last === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(last)
  if (error) throw new Error("could not bring the database to this version's schema", { cause: error })
  if (results?.length) await storeFingerprint(connection)
}

async function storeFingerprint(connection: Kysely<Database>): Promise<void> {
  const fingerprint = await fingerprintOf(connection)
  await sql`insert into restwell.installation (fingerprint) values (${fingerprint})
    on conflict (is_only) do update set fingerprint = excluded.fingerprint`.execute(connection)
}

/** Equal for builds with the same schema files, on a database whose columns are those that the files made. */
async function fingerprintOf(connection: Kysely<Database>): Promise<string> {
  const { rows } = await sql`
    select c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = (select oid from pg_namespace where nspname = ${SCHEMA}) and c.relkind in ('r', 'p', 'v')
    order by c.relname collate "C", a.attname collate "C"`.execute(connection)
  // A comment or an empty line makes no other table.
  const files = (await readSchemaFiles()).map((text) => text.replaceAll(/^\s*--.*$/gm, "").replaceAll(/\s+/g, " "))
  return createHash("sha256")
    .update(JSON.stringify([files, rows]))
    .digest("hex")
}

export interface SchemaState {
  readonly isEmpty: boolean
  /** Migrations that a start of this version would run. */
  readonly pending: readonly string[]
  /** Migrations that this version does not have. They come from a newer one. */
  readonly newer: readonly string[]
  /** True if another build made the tables, or somebody changed them. */
  readonly isForeign: boolean
}

/** Compares the database with this version's schema. Changes nothing. */
export async function readSchemaState(
  database: Kysely<Database>,
): Promise<SchemaState & { readonly isOldServer: boolean }> {
  const { rows: server } = await sql<{ number: string }>`
    select current_setting('server_version_num') as number`.execute(database)
  const done = await readMigrations(database)
  return {
    isOldServer: Number(server[0]?.number) < OLDEST_SERVER,
    isEmpty: done === undefined,
    pending: Object.keys(MIGRATIONS).filter((name) => !done?.includes(name)),
    newer: (done ?? []).filter((name) => !hasMigration(name)),
    isForeign: done !== undefined && done.length > 0 && (await isForeign(database)),
  }
}

/** False if this user may not know. */
async function isForeign(connection: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ isReadable: boolean }>`
    select has_table_privilege(c.oid, 'select') as "isReadable" from pg_class c
    where c.relname = 'installation' and c.relnamespace = (select oid from pg_namespace where nspname = ${SCHEMA})`.execute(
    connection,
  )
  if (!rows[0]) return true
  if (!rows[0].isReadable) return false
  const stored = await sql<{ fingerprint: string }>`select fingerprint from restwell.installation`.execute(connection)
  return stored.rows[0]?.fingerprint !== (await fingerprintOf(connection))
}

/** The migrations that have run. Undefined before the first start. */
async function readMigrations(connection: Kysely<Database>): Promise<string[] | undefined> {
  const table = `${SCHEMA}.kysely_migration`
  // Read as a table, because names are looked up in a cache that may lack what another process made during our wait.
  const { rows: found } = await sql`
    select from pg_class where relname = 'kysely_migration' and relnamespace = (select oid from pg_namespace where nspname = ${SCHEMA})`.execute(
    connection,
  )
  if (found.length === 0) return undefined
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(connection)
  return rows.map(({ name }) => name)
}

/** What to do about tables of another build. */
const FOREIGN_REMEDY =
  "start the build that made them, restore a backup that this one made, or set DATA_DIR or DATABASE_URL to another place. Nothing was changed"

/** What the statements of Restwell rely on. */
async function refuseUnsuitable(connection: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ number: string; name: string; encoding: string; isolation: string; database: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as name,
      current_setting('server_encoding') as encoding, current_setting('default_transaction_isolation') as isolation,
      quote_ident(current_database()) as database`.execute(connection)
  for (const { number, name, encoding, isolation, database } of rows) {
    if (Number(number) < OLDEST_SERVER)
      throw new UnusableDatabase(
        `the database server is PostgreSQL ${name}, and Restwell needs 15 or newer`,
        "upgrade it, or set DATABASE_URL to another server. Nothing was changed",
      )
    if (encoding !== "UTF8")
      throw new UnusableDatabase(
        `the database has the encoding ${encoding}, and Restwell needs UTF8`,
        "create another one (create database NAME encoding 'UTF8' template template0) and set DATABASE_URL to it. Nothing was changed",
      )
    if (isolation !== "read committed")
      throw new UnusableDatabase(
        `the default isolation level of the database is ${isolation}, and Restwell needs read committed`,
        `alter database ${database} set default_transaction_isolation = 'read committed', also for the role if it has its own, and not in DATABASE_URL. Nothing was changed`,
      )
  }
}

/**
 * Migrations that this version does not have come from a newer one. The same migrations may have made other tables in another build.
 * @throws {UnusableDatabase}
 */
async function refuseOtherSchema(connection: Kysely<Database>): Promise<void> {
  const done = (await readMigrations(connection)) ?? []
  const newer = done.filter((name) => !hasMigration(name))
  if (newer.length > 0)
    throw new UnusableDatabase(
      `the database is of a newer Restwell (${newer.join(", ")})`,
      "start that version, or restore a backup made before the upgrade. Nothing was changed",
    )
  if (done.length > 0 && (await isForeign(connection)))
    throw new UnusableDatabase("the tables of the database are not those of this Restwell", FOREIGN_REMEDY)
}

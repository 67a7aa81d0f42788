import { readdir, readFile } from "node:fs/promises"
import { type Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import { type Database, SCHEMA } from "./database.ts"

const SCHEMA_FILES = new URL("schema/", import.meta.url)

/** The first schema. The files of `schema/` run in the order of their numbers. */
const initial = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const name of (await readdir(SCHEMA_FILES)).toSorted())
      await sql.raw(await readFile(new URL(name, SCHEMA_FILES), "utf8")).execute(database)
  },
}

const MIGRATIONS = { "0001-initial": initial }

/** A random constant: processes that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 7_320_118_462

/** Brings the database to this version's schema. Safe when several processes start at once. */
export async function migrate(database: Kysely<Database>): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
    try {
      await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(connection)
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: async () => MIGRATIONS },
        migrationTableSchema: SCHEMA,
      })
      const { error } = await migrator.migrateToLatest()
      if (error) throw new Error("could not bring the database to this version's schema", { cause: error })
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
    }
  })
}

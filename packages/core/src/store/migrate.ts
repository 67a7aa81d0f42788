import { type Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import { type Database, SCHEMA } from "./database.ts"
import { createTables } from "./migrations/0001-tables.ts"
import { createReadHealth } from "./migrations/0002-read-health.ts"
import { createTakeVendorCall } from "./migrations/0003-take-vendor-call.ts"
import { createPasskeys } from "./migrations/0004-passkeys.ts"
import { countUsageByDay } from "./migrations/0005-usage-by-day.ts"
import { createAssistants } from "./migrations/0006-assistants.ts"
import { createVendorEvents } from "./migrations/0007-vendor-events.ts"
import { createAudit } from "./migrations/0008-audit.ts"
import { addGrantKeys } from "./migrations/0009-grant-keys.ts"
import { createHeldAnswers } from "./migrations/0010-held-answers.ts"
import { settleSize } from "./migrations/0011-size.ts"

const MIGRATIONS = {
  "0001-tables": createTables,
  "0002-read-health": createReadHealth,
  "0003-take-vendor-call": createTakeVendorCall,
  "0004-passkeys": createPasskeys,
  "0005-usage-by-day": countUsageByDay,
  "0006-assistants": createAssistants,
  "0007-vendor-events": createVendorEvents,
  "0008-audit": createAudit,
  "0009-grant-keys": addGrantKeys,
  "0010-held-answers": createHeldAnswers,
  "0011-size": settleSize,
}

/** Chosen once at random; every process that migrates waits here for the one that does. */
const MIGRATION_LOCK = 7_320_118_462

/** Brings the database to this version's tables. Safe from any number of processes at once. */
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
      if (error) throw new Error("the database could not be brought to this version", { cause: error })
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
    }
  })
}

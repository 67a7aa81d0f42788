import type { Logger } from "@restwell/core"
import type { Pool, PoolConfig } from "pg"
import type { Config } from "../config/config.ts"
import { openCluster } from "../postgres/cluster.ts"
import { connectionOf, startEmbeddedPostgres } from "../postgres/embedded-postgres.ts"
import { migrateDatabase, poolsOn } from "../postgres/open-pools.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"

/** One for the rows, one for a lock. */
const CONNECTIONS = 2

/** Runs a command on the service's database, whether the service runs or not. Brings the schema up to date first. */
export async function withDatabase<Result>(
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  use: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  await using started = new AsyncDisposableStack()
  const connection = await findDatabase(config, logger, started)
  const pool = poolsOn(connection, logger, started)({ max: CONNECTIONS })
  await migrateDatabase(connection)
  return await use(pool)
}

async function findDatabase(config: Config, logger: Logger, started: AsyncDisposableStack): Promise<PoolConfig> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, logger })
    started.defer(() => postgres.stop())
    return postgres.connection
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
    // The service runs, and so does its server.
    return connectionOf(await openCluster(config.dataDir))
  }
}

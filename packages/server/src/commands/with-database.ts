import { migrate, openDatabase, openPool } from "@restwell/core"
import type { Pool, PoolConfig } from "pg"
import type { Config } from "../config/config.ts"
import type { Logger } from "../log/logger.ts"
import { openCluster } from "../postgres/cluster.ts"
import { connectionOf, startEmbeddedPostgres } from "../postgres/embedded-postgres.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"

/** One row after the other, and a lock. */
const CONNECTIONS = 2

/** Runs a command over the service's database, whether the service runs or not, in the version of the tables that it needs. */
export async function withDatabase<Result>(
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  use: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  await using started = new AsyncDisposableStack()
  const connection = await findDatabase(config, logger, started)
  let isEnding = false
  const pool = openPool({ ...connection, max: CONNECTIONS }, (err) => {
    // The last connections may still see a server go that was started for us.
    if (!isEnding) logger.warn({ err }, "an idle database connection broke")
  })
  started.defer(() => {
    isEnding = true
    return pool.end()
  })
  await migrate(openDatabase(pool))
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
    // The service runs: its server takes one more, who may walk to its socket.
    return connectionOf(await openCluster(config.dataDir))
  }
}

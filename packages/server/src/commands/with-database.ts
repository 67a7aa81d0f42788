import type { Logger, PoolSettings } from "@restwell/core"
import type { Pool } from "pg"
import type { Config } from "../config/config.ts"
import { openCluster } from "../postgres/cluster.ts"
import { connectionOf, startEmbeddedPostgres } from "../postgres/embedded-postgres.ts"
import { reachDatabase } from "../postgres/find-pooler.ts"
import { migrateDatabase, poolsOn } from "../postgres/open-pools.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"
import { unlessAborted } from "../time/unless-aborted.ts"

/** One for the rows, one for a lock. */
const CONNECTIONS = 2

export interface DatabaseOptions {
  readonly config: Config
  readonly logger: Logger
  /** Interrupts the work, of which a transaction is done as a whole or not at all. */
  readonly signal: AbortSignal
  /** Whether the schema is brought up to date first. @default true */
  readonly migrates?: boolean
  /** Whether the command refuses to work while a service runs on DATA_DIR. @default false */
  readonly isAlone?: boolean
  /** Whether `use` itself ends soon after the signal, and has to clean up then. @default false */
  readonly endsItself?: boolean
}

/** A signal ended a command before its work was done. */
export class NotDone extends Error {
  override readonly name = "NotDone"
}

/** Runs a command on the service's database, whether the service runs or not. */
export async function withDatabase<Result>(
  options: DatabaseOptions,
  use: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  try {
    return await runOnDatabase(options, use)
  } catch (error) {
    if (error !== options.signal.reason) throw error
    throw new NotDone("interrupted before everything was done: run the command again")
  }
}

async function runOnDatabase<Result>(options: DatabaseOptions, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const { logger, signal, migrates = true, endsItself = false } = options
  await using started = new AsyncDisposableStack()
  const connection = await findDatabase(options, started)
  const pool = poolsOn(connection, logger, started)({ max: CONNECTIONS })
  if (migrates) await unlessAborted(migrateDatabase(connection), signal)
  return endsItself ? await use(pool) : await unlessAborted(use(pool), signal)
}

async function findDatabase(
  { config, logger, signal, isAlone = false }: DatabaseOptions,
  started: AsyncDisposableStack,
): Promise<PoolSettings> {
  if (config.databaseUrl !== undefined) return reachDatabase(config.databaseUrl, config.databasePooler)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, logger, signal })
    started.defer(() => postgres.stop())
    return postgres.connection
  } catch (error) {
    if (!(error instanceof AlreadyRunning) || isAlone) throw error
    // The service runs, and so does its server.
    return connectionOf(await openCluster(config.dataDir))
  }
}

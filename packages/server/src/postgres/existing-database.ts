/** The database of a service that may run or not, for commands that only look. */
import { openPool, type PoolSettings } from "@restwell/core"
import {
  connectionOf,
  findRunningService,
  hasCluster,
  isServing,
  openCluster,
  startEmbeddedPostgres,
} from "@restwell/postgres"
import type { Pool } from "pg"
import { type PoolerSetting, reachDatabase, unreachable } from "./pools.ts"

/** A database that is there already, without any change of it. */
export interface ExistingDatabase {
  readonly pool: Pool
  /** Whether a service runs the embedded PostgreSQL. False for DATABASE_URL. */
  readonly isInUse: boolean
  readonly isPooled: boolean
}

const CONNECTIONS = 4
const CONNECT_MS = 5_000
const SILENCE_MS = 10_000

/**
 * Opens the service's database, whether the service runs or not, and never makes one. An embedded one that does not run is started until
 * `opened` is disposed of. Returns nothing if there is none yet.
 */
export async function openExisting(
  config: {
    readonly databaseUrl: string | undefined
    readonly databasePooler: PoolerSetting
    readonly dataDir: string
  },
  opened: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<ExistingDatabase | undefined> {
  if (config.databaseUrl !== undefined) {
    const connection = await reachDatabase(config.databaseUrl, config.databasePooler)
    return { pool: await connect(connection, opened), isInUse: false, isPooled: connection.sharesSessions }
  }
  if (!(await hasCluster(config.dataDir))) return undefined
  const cluster = await openCluster(config.dataDir)
  const isRunning = await isServing(cluster)
  if (!isRunning) {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, signal })
    opened.defer(() => postgres.stop())
  }
  const connection = connectionOf(cluster)
  const pool = await connect(connection, opened)
  const isInUse = isRunning && (await findRunningService(connection)) !== undefined
  return { pool, isInUse, isPooled: false }
}

async function connect(connection: PoolSettings, opened: AsyncDisposableStack): Promise<Pool> {
  const pool = openPool(
    { ...connection, max: CONNECTIONS, connectionTimeoutMillis: CONNECT_MS, longestSilenceMs: SILENCE_MS },
    () => {},
  )
  opened.defer(() => pool.endSoon())
  try {
    await pool.query("select 1")
  } catch (error) {
    throw unreachable(connection.connectionString, error)
  }
  return pool
}

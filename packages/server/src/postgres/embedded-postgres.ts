import { type Logger, openPool, type PoolSettings } from "@restwell/core"
import type { Pool } from "pg"
import { type Cluster, openCluster, SUPERUSER } from "./cluster.ts"
import { hasCluster } from "./home.ts"
import { type PoolerSetting, reachDatabase, unreachable } from "./pools.ts"
import { PostgresSupervisor } from "./postgres-supervisor.ts"
import { isServing, PORT } from "./server-process.ts"
import { findRunningService } from "./service-lock.ts"

interface EmbeddedPostgres {
  /** For pg: the host is a socket's folder, and there is no TCP port. */
  readonly connection: ConnectionConfig
  /** Folder of the database and its log. */
  readonly directory: string
  /** Stops the server. Close all connections first. */
  stop(): Promise<void>
}

/** The settings that pg and the libraries on top of it share. */
export interface ConnectionConfig {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** Settings of PostgreSQL beside our own. */
  readonly settings?: Readonly<Record<string, string>>
  readonly logger?: Pick<Logger, "warn">
  /** Called when the server stopped and could not be restarted. @default ends the process with the error */
  readonly onLost?: (error: unknown) => void
  /** True while the disk of DATA_DIR is full. @default never */
  readonly isDiskFull?: () => Promise<boolean>
  /** Interrupts the start, and stops what has begun. */
  readonly signal?: AbortSignal
}

/**
 * Starts PostgreSQL in DATA_DIR, and takes the lock that makes this process its only service. The server runs until `stop` or until this
 * process ends, and is restarted when it dies before.
 * @throws {AlreadyRunning} when another service uses this DATA_DIR
 * @throws {NoEmbeddedPostgres} when this machine has no PostgreSQL from npm
 * @throws {UnusableHome} when PostgreSQL cannot use DATA_DIR
 * @throws {ServerDidNotStart} with PostgreSQL's own message
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, settings, logger, onLost = failLoudly, isDiskFull = async () => false, signal } = options
  const cluster = await openCluster(dataDir, settings, signal)
  const { directory } = cluster.home
  const connection = connectionOf(cluster)
  const server = new PostgresSupervisor({ cluster, connection, logger, onLost, isDiskFull })
  try {
    await server.start(signal)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { connection, directory, stop: () => server.stop() }
}

export const connectionOf = ({ home }: Cluster): ConnectionConfig => ({
  host: home.socketDirectory,
  port: PORT,
  user: SUPERUSER,
  database: "postgres",
})

function failLoudly(error: unknown): never {
  throw error
}

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

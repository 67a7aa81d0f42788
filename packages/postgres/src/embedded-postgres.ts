/** The embedded PostgreSQL: a server in DATA_DIR, which runs as long as the process that started it. */
import type { Logger } from "@restwell/core"
import { type Cluster, openCluster, SUPERUSER } from "./cluster.ts"
import { PostgresSupervisor } from "./postgres-supervisor.ts"
import { PORT } from "./server-process.ts"

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

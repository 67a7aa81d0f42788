import type { Logger } from "@restwell/core"
import { type Cluster, openCluster, SUPERUSER } from "./cluster.ts"
import { HeldServer } from "./postgres-supervisor.ts"
import { PORT } from "./server-process.ts"

export interface EmbeddedPostgres {
  /** For pg: a socket's folder as host; there is no port to reach. */
  readonly connection: ConnectionConfig
  /** Where the database is, beside its log. */
  readonly directory: string
  /** Stops the server; nothing may use it any more. */
  stop(): Promise<void>
}

/** Both pg and the libraries on top of it take these. */
export interface ConnectionConfig {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** Settings of PostgreSQL beside our own. */
  readonly settings?: Readonly<Record<string, string>>
  readonly logger?: Pick<Logger, "warn">
  /** Told when the server went away and could not be brought back. Without it the process ends with the error. */
  readonly onLost?: (error: unknown) => void
}

/**
 * Starts PostgreSQL in DATA_DIR, or takes up the one that a killed service left running, and holds the lock that makes us its one
 * service. It outlives us until `stop`, so that what was accepted can be answered first; when it dies under us it is brought back.
 * @throws {AlreadyRunning} when another service holds this DATA_DIR
 * @throws {NoEmbeddedPostgres} when this machine has no PostgreSQL from npm
 * @throws {UnusableHome} when DATA_DIR is not PostgreSQL's to use
 * @throws {ServerDidNotStart} when PostgreSQL refuses, with its words
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, settings, logger, onLost = failLoudly } = options
  const cluster = await openCluster(dataDir, settings)
  const { directory, isElsewhere } = cluster.home
  if (isElsewhere) logger?.warn({ directory }, "the user who runs PostgreSQL cannot reach DATA_DIR: it is elsewhere")
  const connection = connectionOf(cluster)
  const server = new HeldServer({ cluster, connection, logger, onLost })
  await server.hold()
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

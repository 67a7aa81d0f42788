import { setTimeout as wait } from "node:timers/promises"
import { type ClientConfig, DatabaseError } from "pg"
import { findBinaries } from "./binaries.ts"
import {
  type Cluster,
  ensureCluster,
  isServing,
  ServerDidNotStart,
  SUPERUSER,
  startServer,
  stopServer,
} from "./cluster.ts"
import { prepareHome } from "./home.ts"
import { postgresUser } from "./os-user.ts"
import { AlreadyRunning, type ServiceLock, takeServiceLock } from "./service-lock.ts"

/** A recovering server replays what it had logged; a stopping one ends its sessions first. */
const PATIENCE_MS = 60_000
/** A crashed server's last processes hold its memory for a moment; what keeps it from starting for longer will not pass. */
const START_PATIENCE_MS = 10_000
const RETRY_MS = 100
const PORT = 5432

export interface EmbeddedPostgres {
  /** For pg: a socket's folder as host; there is no port to reach. */
  readonly connection: ConnectionConfig
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
  /** Settings of postgresql.conf beside our own. */
  readonly settings?: Readonly<Record<string, string>>
  /** Told when the server went away and could not be brought back. */
  readonly onLost?: (error: unknown) => void
}

/**
 * Starts PostgreSQL in DATA_DIR, or takes up the one that a killed service left running, and holds the lock that makes us its one
 * service. It outlives us until `stop`, so that what was accepted can be answered first.
 * @throws {AlreadyRunning} when another service holds this DATA_DIR
 * @throws {NoEmbeddedPostgres} when this machine has no PostgreSQL from npm
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.dataDir, options.settings)
  const connection = connectionOf(cluster)
  let lock: ServiceLock
  let isStopping = false
  const bringUp = async (): Promise<void> => {
    lock = await serveLocked(cluster, connection, () => {
      if (!isStopping) bringUp().catch((error: unknown) => options.onLost?.(error))
    })
  }
  await bringUp()
  return {
    connection,
    async stop() {
      isStopping = true
      // The lock is held until the server is down: nobody can take up a server that is about to stop.
      await stopServer(cluster)
      await lock.release()
    },
  }
}

export async function openCluster(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const user = await postgresUser()
  const home = await prepareHome(dataDir, user)
  const cluster: Cluster = { home, binaries: await findBinaries(home.directory, user), user, settings }
  await ensureCluster(cluster)
  return cluster
}

export const connectionOf = ({ home }: Cluster): ConnectionConfig => ({
  host: home.socketDirectory,
  port: PORT,
  user: SUPERUSER,
  database: "postgres",
})

/** Starts the server where none serves, and takes the lock; again and again while one is starting, stopping or recovering. */
async function serveLocked(cluster: Cluster, connection: ClientConfig, onLost: () => void): Promise<ServiceLock> {
  const startedAt = performance.now()
  for (;;) {
    try {
      if (!(await isServing(cluster))) await startServer(cluster)
      return await takeServiceLock(connection, onLost)
    } catch (error) {
      if (performance.now() - startedAt > patienceWith(error)) throw error
      await wait(RETRY_MS)
    }
  }
}

/** How long a failure may pass by itself: two starts meet, the server starts, stops or recovers, its socket is not there yet. */
function patienceWith(error: unknown): number {
  if (error instanceof AlreadyRunning) return 0
  if (error instanceof ServerDidNotStart) return START_PATIENCE_MS
  // Class 57: operator intervention, as "the database system is starting up".
  if (error instanceof DatabaseError) return error.code?.startsWith("57") ? PATIENCE_MS : 0
  return PATIENCE_MS
}

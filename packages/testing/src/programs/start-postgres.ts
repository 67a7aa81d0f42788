import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type Cluster, openCluster } from "@restwell/server/cluster"
import { type ConnectionConfig, connectionOf } from "@restwell/server/embedded-postgres"
import { isServing, startServer, stopServer } from "@restwell/server/server-process"
import { makeFolder, type ReservedPort, reservePort } from "./port-and-folder.ts"
import { databaseUrl } from "./test-database.ts"

/** Speed over durability, for data that only a test needs. */
export const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }

const LOOK_AGAIN_MS = 10
/** Every local program may connect over TCP: the data is made up and removed with the server. */
const TCP_ACCESS = "local all all trust\nhost all all 127.0.0.1/32 trust\n"

/** A PostgreSQL that a test may stop and start. */
export interface Postgres {
  readonly connection: ConnectionConfig
  /** For DATABASE_URL. */
  readonly url: string
  readonly cluster: Cluster
  start(): Promise<void>
  /** Ends all sessions. `immediate` stops without a checkpoint, like a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** The folder that its folder is made in. @default the system's temporary folder */
  readonly within?: string
  /** Reached over TCP instead of a socket in the file system. @default false */
  readonly isOverTcp?: boolean
}

/** Makes and starts a PostgreSQL. */
export async function startPostgres({ settings, within, isOverTcp = false }: PostgresOptions = {}): Promise<Postgres> {
  const folder = await makeFolder("postgres", within)
  const reserved = isOverTcp ? reservePort() : undefined
  const cluster = await openCluster(folder, { ...settings, ...(reserved && listenSettings(reserved)) })
  if (reserved) await writeFile(join(cluster.home.cluster, "pg_hba.conf"), TCP_ACCESS)
  await startServer(cluster)
  const connection = {
    ...connectionOf(cluster),
    ...(reserved && { host: "127.0.0.1", port: reserved.port }),
  }
  return {
    connection,
    url: databaseUrl(connection),
    cluster,
    async start() {
      await startServer(cluster)
    },
    async stop(mode) {
      if (mode === "fast") return stopServer(cluster)
      process.kill(await postmasterPid(cluster.home.cluster), "SIGQUIT")
      while (await isServing(cluster)) await wait(LOOK_AGAIN_MS)
    },
    async remove() {
      await stopServer(cluster)
      await rm(cluster.home.directory, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
      reserved?.[Symbol.dispose]()
    },
  }
}

const listenSettings = ({ port }: ReservedPort) => ({ listen_addresses: "127.0.0.1", port: String(port) })

/** The first process of a running server. @see https://www.postgresql.org/docs/18/storage-file-layout.html */
export async function postmasterPid(directory: string): Promise<number> {
  return Number.parseInt(await readFile(join(directory, "postmaster.pid"), "utf8"), 10)
}

import { randomUUID } from "node:crypto"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type Database, openDatabase, openPool, type PoolSettings } from "@restwell/core"
import {
  type Cluster,
  type ConnectionConfig,
  connectionOf,
  isServing,
  openCluster,
  startServer,
  stopServer,
} from "@restwell/postgres"
import type { Kysely } from "kysely"
import { Client, type Pool, type PoolConfig } from "pg"
import { inject } from "vitest"
import { makeFolder, type ReservedPort, reservePort } from "./port-and-folder.ts"

export * from "./port-and-folder.ts"

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

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL of this run, the database that the database of every test is copied from, and a pooler that tests reach it through. */
    postgres: { connection: PoolConfig; template: string; pooler?: PoolSettings }
  }
}

export interface TestDatabase {
  readonly connection: PoolConfig
  /** For DATABASE_URL. */
  readonly url: string
  readonly pool: Pool
  readonly database: Kysely<Database>
  drop(): Promise<void>
}

/** A migrated, empty database for one test. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection: cluster, template, pooler } = inject("postgres")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  await administer(cluster, `create database ${name} template ${template}`)
  const connection = { ...(pooler ?? cluster), database: name }
  // Dropping the database breaks idle connections of the pool, which is expected.
  const pool = openPool({ ...connection, max: 8 }, () => {})
  return {
    ...databaseOf(pool, connection),
    async drop() {
      await pool.end()
      await administer(cluster, `drop database ${name} with (force)`)
    },
  }
}

/** The database of a pool, which stays open and filled. */
export const databaseOf = (pool: Pool, connection: PoolConfig = pool.options): TestDatabase => ({
  connection,
  url: databaseUrl(connection),
  pool,
  database: openDatabase(pool),
  drop: async () => {},
})

/** node-postgres takes the folder of a socket as the parameter `host`. */
export const databaseUrl = ({ host = "", port = 5432, user = "", database = "" }: PoolConfig): string =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

async function administer(cluster: PoolConfig, statement: string): Promise<void> {
  const client = new Client({ ...cluster, database: "postgres" })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

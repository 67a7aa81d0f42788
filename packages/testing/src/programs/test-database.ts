import { randomUUID } from "node:crypto"
import { type Database, openDatabase, openPool, type PoolSettings } from "@restwell/core"
import type { Kysely } from "kysely"
import { Client, type Pool, type PoolConfig } from "pg"
import { inject } from "vitest"

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

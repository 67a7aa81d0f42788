import { randomUUID } from "node:crypto"
import { type Database, openDatabase, openPool } from "@restwell/core"
import type { Kysely } from "kysely"
import { Client, type Pool, type PoolConfig } from "pg"
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** The cluster of this run, and the database every test's own is copied from. */
    postgres: { connection: PoolConfig; template: string }
  }
}

export interface TestDatabase {
  readonly connection: PoolConfig
  readonly pool: Pool
  readonly database: Kysely<Database>
  drop(): Promise<void>
}

/** A database of its own for one test, migrated, empty. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection: cluster, template } = inject("postgres")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  await administer(cluster, `create database ${name} template ${template}`)
  const connection = { ...cluster, database: name }
  // Dropping the database breaks what the pool still holds; that is meant.
  const pool = openPool({ ...connection, max: 8 }, () => {})
  return {
    connection,
    pool,
    database: openDatabase(pool),
    async drop() {
      await pool.end()
      await administer(cluster, `drop database ${name} with (force)`)
    },
  }
}

async function administer(cluster: PoolConfig, statement: string): Promise<void> {
  const client = new Client({ ...cluster, database: "postgres" })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

import { migrate, openDatabase, openPool, type PoolSettings } from "@restwell/core"
import { Client, type PoolConfig } from "pg"
import type { TestProject } from "vitest/node"

/** The PostgreSQL of a run. */
export interface TestCluster {
  readonly connection: PoolConfig
  /** How tests and services reach its databases instead. @default `connection` */
  readonly pooler?: PoolSettings
  stop(): Promise<void>
}

/** Makes one migrated database that the databases of the tests are copied from. Returns the function that stops the run's PostgreSQL. */
export async function providePostgres(project: TestProject, cluster: TestCluster): Promise<() => Promise<void>> {
  const { connection, pooler } = cluster
  const template = `restwell_template_${process.pid}`
  const client = new Client({ ...connection, database: "postgres" })
  await client.connect()
  await client.query(`create database ${template}`)
  const pool = openPool({ ...connection, database: template }, () => {})
  await migrate(openDatabase(pool))
  await pool.end()
  project.provide("postgres", { connection, template, ...(pooler && { pooler }) })
  return async () => {
    await client.query(`drop database ${template} with (force)`)
    await client.end()
    await cluster.stop()
  }
}

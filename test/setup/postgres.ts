import { migrate, openDatabase, openPool } from "@restwell/core"
import { NOT_DURABLE, startPostgres } from "@restwell/testing/database"
import { Client, type PoolConfig } from "pg"
import type { TestProject } from "vitest/node"

/**
 * Starts one PostgreSQL for the whole run, with one migrated database that the databases of the tests are copied from. With
 * RESTWELL_TEST_DATABASE_URL the run uses that server instead. Its user must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster()
  const template = `restwell_template_${process.pid}`
  const client = new Client({ ...cluster.connection, database: "postgres" })
  await client.connect()
  await client.query(`create database ${template}`)
  const pool = openPool({ ...cluster.connection, database: template }, () => {})
  await migrate(openDatabase(pool))
  await pool.end()
  project.provide("postgres", { connection: cluster.connection, template })
  return async () => {
    await client.query(`drop database ${template} with (force)`)
    await client.end()
    await cluster.stop()
  }
}

async function startCluster(): Promise<{ connection: PoolConfig; stop: () => Promise<void> }> {
  const external = process.env["RESTWELL_TEST_DATABASE_URL"]
  if (external === undefined) {
    const { connection, remove } = await startPostgres({ settings: { ...NOT_DURABLE, max_connections: "200" } })
    return { connection, stop: remove }
  }
  const { hostname, port, username, password, searchParams } = new URL(external)
  const connection = {
    host: searchParams.get("host") ?? hostname,
    user: decodeURIComponent(username),
    ...(port && { port: Number(port) }),
    ...(password && { password: decodeURIComponent(password) }),
  }
  return { connection, stop: async () => {} }
}

import { NOT_DURABLE } from "@restwell/testing/database"
import { findEngines, startCluster, startPgBouncer } from "@restwell/testing/engines"
import type { TestProject } from "vitest/node"
import { providePostgres } from "./provide-postgres.ts"

/** Each test has a database of its own, so PgBouncer keeps idle sessions only for a moment. */
const POOLER_SETTINGS = { default_pool_size: "6", server_idle_timeout: "5" }

/** Starts the operating system's PostgreSQL for the whole run. Tests and services reach it through PgBouncer in transaction mode. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = await findEngines()
  if ("missing" in engines) throw new Error(engines.missing)
  const cluster = await startCluster(engines, { ...NOT_DURABLE, max_connections: "300" })
  const pgbouncer = await startPgBouncer(engines, { serverPort: cluster.port, settings: POOLER_SETTINGS })
  const connection = { host: "127.0.0.1", port: cluster.port, user: "restwell" }
  return providePostgres(project, {
    connection,
    pooler: { ...connection, port: pgbouncer.port, sharesSessions: true },
    async stop() {
      await pgbouncer.remove()
      await cluster.remove()
    },
  })
}

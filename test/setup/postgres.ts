import { NOT_DURABLE, startPostgres } from "@restwell/testing/database"
import type { TestProject } from "vitest/node"
import { providePostgres, type TestCluster } from "./provide-postgres.ts"

/**
 * Starts one PostgreSQL for the whole run. With RESTWELL_TEST_DATABASE_URL the run uses that server instead. Its user must be allowed to
 * create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return providePostgres(project, await startCluster())
}

async function startCluster(): Promise<TestCluster> {
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

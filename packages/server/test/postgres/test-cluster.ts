import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openCluster } from "../../src/postgres/cluster.ts"
import { type ConnectionConfig, connectionOf } from "../../src/postgres/embedded-postgres.ts"
import { startServer, stopServer } from "../../src/postgres/server-process.ts"

/** Speed over durability: nothing in a test's database is worth a disk's time. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" }

export interface TestCluster {
  readonly connection: ConnectionConfig
  stop(): Promise<void>
}

/** A PostgreSQL of its own in a temporary folder, gone with `stop`. */
export async function startTestCluster(): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), "restwell-test-"))
  const cluster = await openCluster(directory, SETTINGS)
  await startServer(cluster)
  return {
    connection: connectionOf(cluster),
    async stop() {
      await stopServer(cluster)
      await rm(cluster.home.directory, { recursive: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
}

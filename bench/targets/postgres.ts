import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { PoolConfig } from "pg"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { openCluster, SUPERUSER } from "../../packages/server/src/postgres/cluster.ts"
import { connectionOf } from "../../packages/server/src/postgres/embedded-postgres.ts"
import { startServer, stopServer } from "../../packages/server/src/postgres/server-process.ts"

/** Everybody on this machine may connect: the data are made up, and gone with the benchmark. */
const ACCESS = "local all all trust\nhost all all 127.0.0.1/32 trust\n"

export interface Postgres extends AsyncDisposable {
  readonly url: string
}

/** A PostgreSQL as an operator would run it beside the service: reached over TCP, synced to disk, otherwise as it comes. */
export async function startPostgres(directory: string): Promise<Postgres> {
  const port = await freePort(0)
  const cluster = await openCluster(directory, { listen_addresses: "127.0.0.1", port: String(port) })
  await writeFile(join(cluster.home.cluster, "pg_hba.conf"), ACCESS)
  await startServer(cluster)
  return {
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`,
    [Symbol.asyncDispose]: () => stopServer(cluster),
  }
}

/** How the embedded PostgreSQL of a service that runs is reached. */
export const embeddedPostgres = async (dataDir: string): Promise<PoolConfig> => connectionOf(await openCluster(dataDir))

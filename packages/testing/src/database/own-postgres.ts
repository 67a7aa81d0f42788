import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openCluster } from "../../packages/server/src/postgres/cluster.ts"
import { connectionOf } from "../../packages/server/src/postgres/embedded-postgres.ts"
import { isServing, startServer, stopServer } from "../../packages/server/src/postgres/server-process.ts"

/** A PostgreSQL that a test may stop and start, as an operator's own. */
export interface OwnPostgres {
  /** For DATABASE_URL. */
  readonly url: string
  start(): Promise<void>
  /** Ends all sessions; `immediate` is as a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>
  /** Stops it and removes all of it. */
  remove(): Promise<void>
}

/** @param within the folder that its own folder is made in */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string>> = {},
  within = tmpdir(),
): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(within, "restwell-own-"))
  await chmod(directory, 0o755)
  const cluster = await openCluster(directory, settings)
  await startServer(cluster)
  const { host, port, user, database } = connectionOf(cluster)
  return {
    url: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    start: () => startServer(cluster),
    async stop(mode) {
      if (mode === "fast") return stopServer(cluster)
      process.kill(await postmasterPid(cluster.home.cluster), "SIGQUIT")
      while (await isServing(cluster)) await wait(10)
    },
    async remove() {
      await stopServer(cluster)
      await rm(cluster.home.directory, { recursive: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Who serves a cluster. @see https://www.postgresql.org/docs/18/storage-file-layout.html */
export async function postmasterPid(directory: string): Promise<number> {
  return Number.parseInt(await readFile(join(directory, "postmaster.pid"), "utf8"), 10)
}

import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openPool } from "@restwell/core"
import type { Pool } from "pg"
import { freePort } from "../../../packages/server/src/demo/free-port.ts"
import { type Cluster, openCluster } from "../../../packages/server/src/postgres/cluster.ts"
import { connectionOf } from "../../../packages/server/src/postgres/embedded-postgres.ts"
import { startServer, stopServer } from "../../../packages/server/src/postgres/server-process.ts"
import type { Random } from "../../../packages/simulator/src/model/random.ts"
import { TEST_SECRET } from "../world.ts"
import { killServer } from "./kill-server.ts"
import { ServiceProcess } from "./service-process.ts"

export interface Kill {
  readonly what: string
  readonly hitsDatabase: boolean
  readonly kill: () => Promise<unknown>
}

/** A service as an operator runs it, with parts that can be killed. */
export interface Installation {
  readonly name: string
  readonly processes: readonly ServiceProcess[]
  /** Its database; away while that is. */
  readonly pool: Pool
  /** Draws what to kill with -9. */
  drawKill(random: Random): Kill
  /** Starts what does not run; processes may not be ready yet. */
  revive(): Promise<void>
  close(): Promise<void>
}

export type InstallationKind = "embedded" | "external"

/** Prepares one that does not run yet. @param vendorUrl where the processes find the vendor */
export const openInstallation = (kind: InstallationKind, vendorUrl: string): Promise<Installation> =>
  kind === "embedded" ? openEmbedded(vendorUrl) : openExternal(vendorUrl)

const environmentFor = (vendorUrl: string) => ({
  RESTWELL_SECRET: TEST_SECRET,
  WHOOP_CLIENT_ID: "simulator-client",
  WHOOP_CLIENT_SECRET: "simulator-secret",
  WHOOP_BASE_URL: vendorUrl,
  WHOOP_CALLS_PER_MINUTE: "1000000",
  WHOOP_CALLS_PER_DAY: "1000000",
  FREE_MONTHLY_REQUESTS: "999999999",
})

/** What an operator needs to start a database again. */
const LONGEST_ABSENCE_MS = 1_500

/** One process with its own PostgreSQL; in a third of the kills that dies too. */
async function openEmbedded(vendorUrl: string): Promise<Installation> {
  const directory = await reachableFolder()
  const service = new ServiceProcess(await freePort(0), { ...environmentFor(vendorUrl), DATA_DIR: directory })
  const cluster = await openCluster(directory)
  const pool = openPool({ ...connectionOf(cluster), max: 2 }, () => {})
  return {
    name: "embedded PostgreSQL",
    processes: [service],
    pool,
    drawKill(random) {
      if (!random.chance(1 / 3)) return { what: "the service", hitsDatabase: false, kill: () => service.kill() }
      const withChildren = random.chance(0.5)
      const apartMs = random.integer(0, 200)
      return {
        what: "the service and its PostgreSQL",
        hitsDatabase: true,
        kill: () => Promise.all([killServer(cluster, withChildren), wait(apartMs).then(() => service.kill())]),
      }
    },
    async revive() {
      if (!service.isRunning) service.start()
    },
    async close() {
      await pool.end()
      await service.stop()
      await removeCluster(cluster, directory)
    },
  }
}

/** Two processes on one PostgreSQL that is neither's; one of them, both, the database, or all die. */
async function openExternal(vendorUrl: string): Promise<Installation> {
  const directory = await reachableFolder()
  const cluster = await openCluster(directory)
  const { host, port, user, database } = connectionOf(cluster)
  const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  const environment = { ...environmentFor(vendorUrl), DATABASE_URL: url }
  const first = new ServiceProcess(await freePort(0), environment)
  const second = new ServiceProcess(await freePort(0), environment)
  const processes = [first, second]
  const pool = openPool({ host, port, user, database, max: 2 }, () => {})
  let isDatabaseDown = true
  let absenceMs = 0
  const killDatabase = async (forMs: number, withChildren: boolean) => {
    isDatabaseDown = true
    absenceMs = forMs
    await killServer(cluster, withChildren)
  }
  const killProcesses = () => Promise.all(processes.map((each) => each.kill()))
  return {
    name: "external PostgreSQL",
    processes,
    pool,
    drawKill(random) {
      const one = random.pick([first, second])
      const killIt = () => killDatabase(random.integer(0, LONGEST_ABSENCE_MS), random.chance(0.5))
      const oneProcess: Kill = { what: "one process", hitsDatabase: false, kill: () => one.kill() }
      const bothProcesses: Kill = { what: "both processes", hitsDatabase: false, kill: killProcesses }
      return random.pick<Kill>([
        oneProcess,
        oneProcess,
        bothProcesses,
        bothProcesses,
        { what: "the database", hitsDatabase: true, kill: killIt },
        { what: "all of them", hitsDatabase: true, kill: () => Promise.all([killIt(), killProcesses()]) },
      ])
    },
    async revive() {
      if (isDatabaseDown) {
        await wait(absenceMs)
        await startAgain(cluster)
        isDatabaseDown = false
      }
      for (const each of processes) if (!each.isRunning) each.start()
    },
    async close() {
      await pool.end()
      await Promise.all(processes.map((each) => each.stop()))
      await removeCluster(cluster, directory)
    },
  }
}

/** What is left of a server that was killed may hold its memory for a moment. */
async function startAgain(cluster: Cluster): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startServer(cluster)
    } catch (error) {
      if (tries >= 50) throw error
      await wait(100)
    }
  }
}

/** For root: PostgreSQL's own user walks through it. */
async function reachableFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "restwell-crash-"))
  await chmod(directory, 0o755)
  return directory
}

async function removeCluster(cluster: Cluster, directory: string): Promise<void> {
  await stopServer(cluster)
  await rm(cluster.home.directory, { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true })
}

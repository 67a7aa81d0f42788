import { rm } from "node:fs/promises"
import { setTimeout as wait } from "node:timers/promises"
import { openPool } from "@restwell/core"
import {
  type Cluster,
  type ConnectionConfig,
  connectionOf,
  openCluster,
  startServer,
  stopServer,
} from "@restwell/postgres"
import type { Random } from "@restwell/simulator"
import { databaseUrl, makeFolder } from "@restwell/testing/database"
import { quotaOf, TEST_SECRET, vendorEnvironment } from "@restwell/testing/service"
import type { VendorUnderTest } from "@restwell/testing/vendor"
import { Client, type Pool } from "pg"
import { killServer } from "./kill-server.ts"
import { KillableService } from "./killable-service.ts"

export interface Kill {
  readonly what: string
  readonly hitsDatabase: boolean
  readonly kill: () => Promise<unknown>
}

/** A service as an operator runs it, with parts that can be killed. */
export interface Installation {
  readonly name: string
  readonly processes: readonly KillableService[]
  /** Its database, which is unreachable while it is killed. */
  readonly pool: Pool
  /** A start takes about this time, in which some of the kills come. */
  readonly startMs: number
  /** Draws what to kill with -9. */
  drawKill(random: Random): Kill
  /** Starts what does not run. The processes may not be ready yet. */
  revive(): Promise<void>
  /** Resolves once the database takes new connections, or the signal aborts, or nothing starts it. */
  untilDatabase(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** `supervised`: the service goes on, and only its embedded PostgreSQL is killed. */
export type InstallationKind = "embedded" | "external" | "supervised"

/** Prepares an installation, and starts nothing. */
export function openInstallation(kind: InstallationKind, vendor: VendorUnderTest): Promise<Installation> {
  if (kind === "external") return openExternal(vendor)
  return openEmbedded(vendor, kind)
}

const environmentFor = ({ simulator, provider }: VendorUnderTest) => ({
  ...vendorEnvironment(simulator, provider),
  RESTWELL_SECRET: TEST_SECRET,
  SIGN_UP: "open",
  ...quotaOf(999_999_999),
})

const LONGEST_START_MS = 2_500
const LONGEST_RESTART_MS = 600

/** How long an operator takes to start a database again. */
const LONGEST_ABSENCE_MS = 1_500

const LOOK_AGAIN_MS = 5

/** One process with an embedded PostgreSQL. A third of the kills hit both, or all of them only PostgreSQL. */
async function openEmbedded(vendor: VendorUnderTest, kind: "embedded" | "supervised"): Promise<Installation> {
  const directory = await makeFolder("crash")
  const service = new KillableService({ ...environmentFor(vendor), DATA_DIR: directory })
  const cluster = await openCluster(directory)
  const pool = openPool({ ...connectionOf(cluster), max: 2 }, () => {})
  const killIt = async (withChildren: boolean) => {
    // Between two servers there is none.
    while (service.isRunning && !(await killServer(cluster, withChildren))) await wait(LOOK_AGAIN_MS)
  }
  const own =
    kind === "embedded"
      ? { name: "embedded PostgreSQL", startMs: LONGEST_START_MS }
      : { name: "PostgreSQL of a running service", startMs: LONGEST_RESTART_MS }
  return {
    ...own,
    processes: [service],
    pool,
    drawKill(random) {
      const withChildren = random.chance(0.5)
      if (kind === "supervised") return { what: "PostgreSQL", hitsDatabase: true, kill: () => killIt(withChildren) }
      if (!random.chance(1 / 3)) return { what: "the service", hitsDatabase: false, kill: () => service.kill() }
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
    untilDatabase: (signal) => untilConnected(connectionOf(cluster), () => signal.aborted || !service.isRunning),
    async close() {
      await pool.end()
      await service.stop()
      await removeCluster(cluster, directory)
    },
  }
}

/** Two processes on one external PostgreSQL. A kill hits one process, both, the database, or all of them. */
async function openExternal(vendor: VendorUnderTest): Promise<Installation> {
  const directory = await makeFolder("crash")
  const cluster = await openCluster(directory)
  const connection = connectionOf(cluster)
  const environment = { ...environmentFor(vendor), DATABASE_URL: databaseUrl(connection) }
  const first = new KillableService(environment)
  // Both subscribe to one address for webhooks.
  const second = new KillableService({ ...environment, BASE_URL: first.url })
  const processes = [first, second]
  const pool = openPool({ ...connection, max: 2 }, () => {})
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
    startMs: LONGEST_START_MS,
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
    untilDatabase: (signal) => untilConnected(connection, () => signal.aborted || isDatabaseDown),
    async close() {
      await pool.end()
      await Promise.all(processes.map((each) => each.stop()))
      await removeCluster(cluster, directory)
    },
  }
}

/** Sessions of a killed server go on for a moment, so only a new one shows that it runs. */
async function untilConnected(connection: ConnectionConfig, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const client = new Client(connection)
    client.on("error", () => {})
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end()
    if (isThere) return
    await wait(LOOK_AGAIN_MS)
  }
}

/** Starts a killed server. Processes that are left of it may use its shared memory for a moment. */
export async function startAgain(cluster: Cluster): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await startServer(cluster)
      return
    } catch (error) {
      if (tries >= 50) throw error
      await wait(100)
    }
  }
}

async function removeCluster(cluster: Cluster, directory: string): Promise<void> {
  await stopServer(cluster)
  await rm(cluster.home.directory, { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true })
}

import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { OsUser } from "@restwell/server/os-user"
import { reservePort } from "../port/reserve-port.ts"
import { EngineProcess, makeEngineFolder, makePrivateFolder, runEngine } from "./engine-process.ts"
import type { Engines } from "./find-engines.ts"
import { queryOnce } from "./query-once.ts"

const USER = "restwell"
const LOOK_AGAIN_MS = 10

export type ClusterSettings = Readonly<Record<string, string>>

/** A PostgreSQL of the operating system, over TCP, with a user and a database `restwell`. */
export interface InstalledPostgres {
  readonly port: number
  readonly url: string
  /** The address of another database of it. */
  urlOf(database: string): string
  /** Makes a standby from it. Every commit waits for the standby from then on. */
  addSynchronousStandby(): Promise<InstalledPostgres>
  /** Makes a primary of a standby. Resolves when it accepts writes. */
  promote(): Promise<void>
  /** Kills all of its processes with -9. */
  kill(): Promise<void>
  /** Stops all of its processes in place, as if its machine no longer answered. */
  freeze(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Makes and starts a PostgreSQL. */
export async function startCluster(engines: Engines, settings: ClusterSettings = {}): Promise<InstalledPostgres> {
  const { folder, user } = await makeEngineFolder("cluster")
  const directory = join(folder, "data")
  const initdb = ["-D", directory, "-U", USER, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"]
  await runEngine(join(engines.postgres, "initdb"), initdb, user)
  const server = await startServer({ engines, settings, folder, user })
  await queryOnce(server.urlOf("postgres"), "create database restwell")
  return server
}

interface Installation {
  readonly engines: Engines
  readonly settings: ClusterSettings
  /** Its files are in `data`. */
  readonly folder: string
  readonly user: OsUser | undefined
}

async function startServer({ engines, settings, folder, user }: Installation): Promise<InstalledPostgres> {
  const reserved = reservePort()
  const { port } = reserved
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: folder, ...settings }
  const parameters = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const program = join(engines.postgres, "postgres")
  const server = new EngineProcess(program, ["-D", join(folder, "data"), ...parameters], user)
  const urlOf = (database: string) => `postgres://${USER}@127.0.0.1:${port}/${database}`
  await server.answersAt(urlOf("postgres"))
  return {
    port,
    url: urlOf("restwell"),
    urlOf,
    addSynchronousStandby: () => addStandby(engines, settings, urlOf("postgres"), port),
    async promote() {
      await queryOnce(urlOf("postgres"), "select pg_promote()")
    },
    async kill() {
      await signalAll(server.pid, "SIGKILL")
      await server.ended
    },
    freeze: () => signalAll(server.pid, "SIGSTOP"),
    async remove() {
      if (server.isRunning) await signalAll(server.pid, "SIGCONT")
      await server.stop("SIGQUIT")
      reserved[Symbol.dispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addStandby(
  engines: Engines,
  settings: ClusterSettings,
  primaryUrl: string,
  primaryPort: number,
): Promise<InstalledPostgres> {
  const { folder, user } = await makeEngineFolder("standby")
  const directory = join(folder, "data")
  await makePrivateFolder(directory, user)
  const source = ["-h", "127.0.0.1", "-p", String(primaryPort), "-U", USER]
  const copy = [...source, "-D", directory, "--checkpoint=fast", "--no-sync", "--write-recovery-conf"]
  await runEngine(join(engines.postgres, "pg_basebackup"), copy, user)
  const standby = await startServer({ engines, settings, folder, user })
  await queryOnce(primaryUrl, "alter system set synchronous_standby_names = '*'")
  await queryOnce(primaryUrl, "select pg_reload_conf()")
  const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'"
  while ((await queryOnce(primaryUrl, isSynchronous)).length === 0) await wait(LOOK_AGAIN_MS)
  return standby
}

/** The first process of a server and its children, which lead sessions of their own. Only Linux lists them in files. */
async function signalAll(pid: number, signal: NodeJS.Signals): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")
  for (const each of [pid, ...children.split(" ").filter(Boolean).map(Number)]) {
    try {
      process.kill(each, signal)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
    }
  }
}

import { type ExecFileOptions, execFile } from "node:child_process"
import { appendFile, chown, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Binaries } from "./binaries.ts"
import type { Home } from "./home.ts"
import type { OsUser } from "./os-user.ts"

export const SUPERUSER = "restwell"
const START_SECONDS = 60
const STOP_SECONDS = 30
const OWN_SETTINGS = "restwell.conf"

const run = promisify(execFile)

/** The server of a cluster does not come up; the message has what it said. */
export class ServerDidNotStart extends Error {
  override readonly name = "ServerDidNotStart"
}

export interface Cluster {
  readonly home: Home
  readonly binaries: Binaries
  readonly user: OsUser | undefined
  /** Settings of postgresql.conf beside our own. */
  readonly settings: Readonly<Record<string, string>>
}

/** What a small service needs: no port, everything synced, a log of a week. */
const settingsOf = ({ home, settings }: Cluster): Record<string, string> => ({
  listen_addresses: "",
  // A list: the quotes keep a comma in the path from cutting it.
  unix_socket_directories: `"${home.socketDirectory}"`,
  unix_socket_permissions: "0700",
  max_connections: "60",
  shared_buffers: "128MB",
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "on",
  log_directory: join(home.directory, "log"),
  log_filename: "postgresql-%a.log",
  log_truncate_on_rotation: "on",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  ...settings,
})

/** Runs a program of PostgreSQL as its user, away from our own environment and folder. */
const execute = ({ user, home }: Cluster, program: string, args: readonly string[]) => {
  const options: ExecFileOptions = { cwd: home.directory, env: { PATH: process.env["PATH"], LC_ALL: "C" } }
  return run(program, [...args], user ? { ...options, uid: user.uid, gid: user.gid } : options)
}

/** Makes the cluster where there is none. It is made aside and moved into place, so a kill on the way leaves nothing half. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  if (await exists(join(cluster.home.cluster, "PG_VERSION"))) return
  const unfinished = `${cluster.home.cluster}-${process.pid}`
  await execute(cluster, cluster.binaries.initdb, [
    ...["--pgdata", unfinished, "--username", SUPERUSER, "--encoding", "UTF8"],
    ...["--locale-provider", "builtin", "--locale", "C.UTF-8", "--no-instructions"],
    // Whoever can walk into the socket's folder is the owner.
    ...["--auth-local", "trust", "--auth-host", "reject"],
  ])
  await appendFile(join(unfinished, "postgresql.conf"), `\ninclude '${OWN_SETTINGS}'\n`)
  await writeSettings(cluster, unfinished)
  await rename(unfinished, cluster.home.cluster).catch(async (error: NodeJS.ErrnoException) => {
    // Another start was faster; its cluster is as good.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    await rm(unfinished, { recursive: true })
  })
}

async function writeSettings(cluster: Cluster, directory: string): Promise<void> {
  const lines = Object.entries(settingsOf(cluster)).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  )
  const path = join(directory, OWN_SETTINGS)
  await writeFile(path, lines.join(""))
  if (cluster.user) await chown(path, cluster.user.uid, cluster.user.gid)
}

/** Starts the server in a session of its own, where Ctrl-C of ours does not reach it, and waits until it answers. */
export async function startServer(cluster: Cluster): Promise<void> {
  await dropStalePid(cluster)
  await writeSettings(cluster, cluster.home.cluster)
  const log = join(cluster.home.directory, "start.log")
  await rm(log, { force: true })
  await execute(cluster, cluster.binaries.pgCtl, [
    ...["start", "--wait", "--silent", "--timeout", String(START_SECONDS)],
    ...["--pgdata", cluster.home.cluster, "--log", log],
  ]).catch(async (cause: unknown) => {
    const said = (await exists(log)) ? await readFile(log, "utf8") : ""
    throw new ServerDidNotStart(`PostgreSQL did not start in ${cluster.home.directory}: ${said.trim() || cause}`, {
      cause,
    })
  })
}

/** Ends all sessions and stops the server; when it does not stop in time, as after a crash. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const stop = (mode: string) =>
    execute(cluster, cluster.binaries.pgCtl, [
      ...["stop", "--wait", "--silent", "--timeout", String(STOP_SECONDS)],
      ...["--mode", mode, "--pgdata", cluster.home.cluster],
    ])
  await stop("fast").catch(async (error: unknown) => {
    if (await isServing(cluster)) await stop("immediate")
    else if (await exists(join(cluster.home.cluster, "postmaster.pid"))) throw error
  })
}

/** True while the process that the cluster names as its server is one. */
export async function isServing(cluster: Cluster): Promise<boolean> {
  const pid = await serverPid(cluster)
  return pid !== undefined && /postgres/.test(await commandOf(pid))
}

/** After a crash the number in postmaster.pid may have gone to a stranger, whom PostgreSQL would take for its server. */
async function dropStalePid(cluster: Cluster): Promise<void> {
  const pid = await serverPid(cluster)
  if (pid === undefined || (await isServing(cluster))) return
  await rm(join(cluster.home.cluster, "postmaster.pid"), { force: true })
}

async function serverPid({ home }: Cluster): Promise<number | undefined> {
  const path = join(home.cluster, "postmaster.pid")
  const text = (await exists(path)) ? await readFile(path, "utf8") : ""
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

/** The command of a process; empty when there is no such process. */
const commandOf = (pid: number): Promise<string> =>
  run("ps", ["-o", "args=", "-p", String(pid)]).then(
    ({ stdout }) => stdout,
    () => "",
  )

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

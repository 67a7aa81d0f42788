import { type ExecFileOptions, execFile } from "node:child_process"
import { chown, glob, mkdtemp, open, rename, rm, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { type Binaries, findBinaries, NoEmbeddedPostgres } from "./binaries.ts"
import { type Home, prepareHome } from "./home.ts"

export const SUPERUSER = "restwell"

/** Making a cluster takes half a second; one that is older than this was left behind by a start that was killed. */
const LEFT_BEHIND_MS = 10 * 60_000

const run = promisify(execFile)

/** The server of a cluster cannot be made or does not come up; the message has what it said. */
export class ServerDidNotStart extends Error {
  override readonly name = "ServerDidNotStart"
}

export interface Cluster {
  readonly home: Home
  readonly binaries: Binaries
  /** Settings of PostgreSQL beside our own. */
  readonly settings: Readonly<Record<string, string>>
}

/** The cluster of a DATA_DIR, made where there is none. It may or may not be served. */
export async function openCluster(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const home = await prepareHome(dataDir)
  const cluster: Cluster = { home, binaries: await findBinaries(home.directory, home.user), settings }
  if (!(await exists(join(home.cluster, "PG_VERSION")))) await makeCluster(cluster)
  return cluster
}

/** How a program of PostgreSQL is run: as its user, away from our own environment and folder. */
export const executionOf = ({
  home,
}: Cluster): Pick<ExecFileOptions, "cwd" | "uid" | "gid"> & { env: NodeJS.ProcessEnv } => ({
  cwd: home.directory,
  env: { PATH: process.env["PATH"], LC_ALL: "C" },
  ...home.user,
})

/** The cluster is made aside and moved into place, so a kill on the way leaves nothing half. */
async function makeCluster(cluster: Cluster): Promise<void> {
  const { home } = cluster
  const unfinished = await mkdtemp(`${home.cluster}-`)
  if (home.user) await chown(unfinished, home.user.uid, home.user.gid)
  await removeLeftBehind(home, unfinished)
  await initialize(cluster, unfinished)
  await rename(unfinished, home.cluster).catch(async (error: NodeJS.ErrnoException) => {
    // Another start was faster; its cluster is as good.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    await rm(unfinished, { recursive: true })
  })
  await syncDirectory(home.directory)
}

async function initialize(cluster: Cluster, directory: string): Promise<void> {
  const args = [
    ...["--pgdata", directory, "--username", SUPERUSER, "--encoding", "UTF8"],
    // PostgreSQL's own order of characters: the same on every system, today and after its next update.
    ...["--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-instructions"],
    // Whoever can walk into the socket's folder is the owner.
    ...["--auth-local", "trust", "--auth-host", "reject"],
    // Who does without durability does without it from the start.
    ...(cluster.settings["fsync"] === "off" ? ["--no-sync"] : []),
  ]
  try {
    await run(cluster.binaries.initdb, args, executionOf(cluster))
  } catch (cause) {
    throw whyNot(cluster, cause)
  }
}

function whyNot({ home, binaries }: Cluster, cause: unknown): Error {
  // The program is there, what loads it is not: its libc is another one.
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT")
    return new NoEmbeddedPostgres(
      `${binaries.initdb} does not run on this system (it needs glibc), set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause },
    )
  const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause)
  const hint = /look up effective user/.test(said) ? "; give this user a name in /etc/passwd, or set DATABASE_URL" : ""
  return new ServerDidNotStart(`PostgreSQL could not make its database in ${home.directory}: ${said}${hint}`, { cause })
}

async function removeLeftBehind({ cluster, directory }: Home, justMade: string): Promise<void> {
  const { mtimeMs: nowMs } = await stat(justMade)
  for await (const name of glob(`${basename(cluster)}-*`, { cwd: directory })) {
    const path = join(directory, name)
    if (nowMs - (await stat(path)).mtimeMs > LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true })
  }
}

/** A name is on disk when its folder is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync()
  await handle.close()
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

import { type ExecFileOptions, execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { chown, glob, mkdtemp, open, rm, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { type Binaries, findBinaries, NoEmbeddedPostgres, renameUnlessThere } from "./binaries.ts"
import { type Home, prepareHome } from "./home.ts"

export const SUPERUSER = "restwell"

/** Making a cluster takes half a second, so an older unfinished one is from a start that was killed. */
const ABANDONED_MS = 10 * 60_000

const run = promisify(execFile)

/** A cluster cannot be made, or its server does not start. The message has PostgreSQL's own. */
export class ServerDidNotStart extends Error {
  override readonly name = "ServerDidNotStart"
}

export interface Cluster {
  readonly home: Home
  readonly binaries: Binaries
  /** Extra settings of PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>
}

/** Finds or makes the cluster of a DATA_DIR. Its server may run or not. */
export async function openCluster(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const home = await prepareHome(dataDir)
  const cluster: Cluster = { home, binaries: await findBinaries(home.directory, home.user), settings }
  if (!existsSync(join(home.cluster, "PG_VERSION"))) await makeCluster(cluster)
  return cluster
}

/** Options to run a program of PostgreSQL: as its user, without our environment and folder. */
export const executionOf = ({
  home,
}: Cluster): Pick<ExecFileOptions, "cwd" | "uid" | "gid"> & { env: NodeJS.ProcessEnv } => ({
  cwd: home.directory,
  env: { PATH: process.env["PATH"], LC_ALL: "C" },
  ...home.user,
})

/** Makes the cluster under another name and renames it, so that a killed start leaves no half-made one. */
async function makeCluster(cluster: Cluster): Promise<void> {
  const { home } = cluster
  const unfinished = await mkdtemp(`${home.cluster}-`)
  if (home.user) await chown(unfinished, home.user.uid, home.user.gid)
  await removeAbandoned(home, unfinished)
  await initialize(cluster, unfinished)
  await renameUnlessThere(unfinished, home.cluster)
  await syncDirectory(home.directory)
}

async function initialize(cluster: Cluster, directory: string): Promise<void> {
  const args = [
    ...["--pgdata", directory, "--username", SUPERUSER, "--encoding", "UTF8"],
    // PostgreSQL's own collation: the same on every system and after its updates.
    ...["--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-instructions"],
    // Only the owner can enter the socket's folder.
    ...["--auth-local", "trust", "--auth-host", "reject"],
    // Without durability, the first sync is needless too.
    ...(cluster.settings["fsync"] === "off" ? ["--no-sync"] : []),
  ]
  try {
    await run(cluster.binaries.initdb, args, executionOf(cluster))
  } catch (cause) {
    throw initdbError(cluster, cause)
  }
}

function initdbError({ home, binaries }: Cluster, cause: unknown): Error {
  // ENOENT for an existing program: the loader of its libc is missing.
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT")
    return new NoEmbeddedPostgres(
      `${binaries.initdb} does not run on this system (it needs glibc), set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause },
    )
  const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause)
  const hint = /look up effective user/.test(said) ? "; give this user a name in /etc/passwd, or set DATABASE_URL" : ""
  return new ServerDidNotStart(`PostgreSQL could not make its database in ${home.directory}: ${said}${hint}`, { cause })
}

async function removeAbandoned({ cluster, directory }: Home, justMade: string): Promise<void> {
  const { mtimeMs: nowMs } = await stat(justMade)
  for await (const name of glob(`${basename(cluster)}-*`, { cwd: directory })) {
    const path = join(directory, name)
    if (nowMs - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

/** The rename is on disk once the folder is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync()
  await handle.close()
}

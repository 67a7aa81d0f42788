import { chown, mkdir, mkdtemp, open, readFile, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { OperatorError } from "@restwell/core"
import {
  type Binaries,
  findBinaries,
  NoEmbeddedPostgres,
  removeAbandoned,
  renameUnlessThere,
  SHARED_COPIES,
} from "./binaries.ts"
import { type GuardOptions, openOutput, readOutput, spawnGuarded } from "./guarded-process.ts"
import { type Home, prepareHome, seenBy } from "./home.ts"

export const SUPERUSER = "restwell"

/** The shell's exit code. @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html 2.8.2 */
const COMMAND_NOT_FOUND = 127

/** A cluster cannot be made, or its server does not start. The message has PostgreSQL's own. */
export class ServerDidNotStart extends OperatorError {
  override readonly name: string = "ServerDidNotStart"

  /** @param fault with PostgreSQL's own message, which may name the cause and never what to do */
  constructor(fault: string, remedy: string = CORRECT_IT, options?: ErrorOptions) {
    super(fault, remedy, options)
  }
}

/** The server was killed with SIGKILL while it started, as by a system that is out of memory. */
export class KilledServer extends ServerDidNotStart {
  override readonly name = "KilledServer"
}

const CORRECT_IT = "correct what PostgreSQL names, or restore a backup into an empty DATA_DIR"

/** The cluster was made by another major version of PostgreSQL, which alone can open it. */
class OtherVersion extends OperatorError {
  override readonly name = "OtherVersion"
}

export interface Cluster {
  readonly home: Home
  readonly binaries: Binaries
  /** Extra settings of PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Finds or makes the cluster of a DATA_DIR. Its server may run or not.
 * @param signal interrupts it. What has begun is deleted, or ignored by the next start
 */
export async function openCluster(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Cluster> {
  const home = await prepareHome(dataDir)
  const cluster: Cluster = { home, binaries: await findBinaries(await copiesOf(home), home.user), settings }
  signal?.throwIfAborted()
  const madeBy = await versionOf(home)
  if (madeBy === undefined) await makeCluster(cluster, signal)
  else if (madeBy !== cluster.binaries.major)
    throw new OtherVersion(
      `the database in ${home.cluster} was made by PostgreSQL ${madeBy}, and this Restwell has PostgreSQL ${cluster.binaries.major}`,
      `start the Restwell that made it and make a backup (restwell backup FILE), move ${home.directory} away, and restore it with this one ` +
        "(restwell restore FILE). Nothing was changed",
    )
  return cluster
}

/** Where a copy of the programs goes if their user cannot reach npm's folder. A program resolves its own path: an open folder is not enough. */
async function copiesOf({ directory, seenAs }: Home): Promise<string> {
  if (seenAs === directory) return directory
  await mkdir(SHARED_COPIES, { recursive: true, mode: 0o755 })
  return SHARED_COPIES
}

const versionOf = (home: Home): Promise<string | undefined> =>
  readFile(join(home.cluster, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined
      throw error
    },
  )

/** Options to run a program of PostgreSQL: as its user, without our environment and folder. */
export const executionOf = ({ home }: Cluster): Omit<GuardOptions, "output"> & { readonly env: NodeJS.ProcessEnv } => {
  const env = { PATH: process.env["PATH"], LC_ALL: "C" }
  return {
    env,
    execution: { cwd: home.directory, env, ...home.user },
    folder: home.seenAs === home.directory ? undefined : home.directory,
  }
}

/** Makes the cluster under another name and renames it, so that a killed start leaves no half-made one. */
async function makeCluster(cluster: Cluster, signal: AbortSignal | undefined): Promise<void> {
  const { home } = cluster
  const unfinished = await mkdtemp(`${home.cluster}-`)
  try {
    if (home.user) await chown(unfinished, home.user.uid, home.user.gid)
    await removeAbandoned(unfinished, `${basename(home.cluster)}-*`)
    await initialize(cluster, unfinished, signal)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    signal?.throwIfAborted()
    throw error
  }
  await renameUnlessThere(unfinished, home.cluster)
  await syncDirectory(home.directory)
}

async function initialize(cluster: Cluster, directory: string, signal: AbortSignal | undefined): Promise<void> {
  const args = [
    ...["--pgdata", seenBy(cluster.home, directory), "--username", SUPERUSER, "--encoding", "UTF8"],
    // PostgreSQL's own collation: the same on every system and after its updates.
    ...["--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-instructions"],
    // Only the owner can enter the socket's folder.
    ...["--auth-local", "trust", "--auth-host", "reject"],
    // Without durability, the first sync is needless too.
    ...(cluster.settings["fsync"] === "off" ? ["--no-sync"] : []),
  ]
  await using output = await openOutput(cluster.home.directory)
  const initdb = await spawnGuarded([cluster.binaries.initdb, ...args], {
    ...executionOf(cluster),
    output,
  })
  const interrupt = (): void => void initdb.stop()
  signal?.addEventListener("abort", interrupt, { once: true })
  const code = await initdb.ended
  signal?.removeEventListener("abort", interrupt)
  signal?.throwIfAborted()
  if (code !== 0) throw initdbError(cluster, code, await readOutput(output))
}

function initdbError({ home, binaries }: Cluster, code: number | NodeJS.Signals, said: string): Error {
  // For an existing program: the loader of its libc is missing.
  if (code === COMMAND_NOT_FOUND)
    return new NoEmbeddedPostgres(
      `${binaries.initdb} does not run on this system (it needs glibc)`,
      "set DATABASE_URL to a PostgreSQL 15 or newer",
    )
  return new ServerDidNotStart(
    `PostgreSQL could not make its database in ${home.directory} (${said || `initdb ended with ${code}`})`,
    /look up effective user/.test(said)
      ? "give this user a name in /etc/passwd, or set DATABASE_URL"
      : "correct what PostgreSQL names, choose another DATA_DIR, or set DATABASE_URL",
  )
}

/** The rename is on disk once the folder is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync()
  await handle.close()
}

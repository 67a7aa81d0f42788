import { createHash } from "node:crypto"
import { chmod, chown, mkdir, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { isReachable, type OsUser } from "./os-user.ts"

/** Where a cluster lives, owned by the user who runs it and closed to all others. */
export interface Home {
  readonly directory: string
  readonly cluster: string
  readonly socketDirectory: string
}

/** Longest path of a Unix socket on Linux is 107 bytes, on macOS 103; the file's own name takes 16 of them. */
const LONGEST_SOCKET_DIRECTORY = 103 - "/.s.PGSQL.5432x".length

const SHARED_HOME = "/var/lib/restwell"

/** Prepares the home of DATA_DIR's cluster. */
export async function prepareHome(dataDir: string, user: OsUser | undefined): Promise<Home> {
  await mkdir(dataDir, { recursive: true })
  const directory = await homeOf(dataDir, user)
  await claim(directory, user)
  const socketDirectory = await claimSocketDirectory(directory, user)
  return { directory, cluster: join(directory, "cluster"), socketDirectory }
}

/** `DATA_DIR/postgres`; for root, whose folders the unprivileged user may not walk through, a place that it can reach. */
export async function homeOf(dataDir: string, user: OsUser | undefined): Promise<string> {
  const data = resolve(dataDir)
  return (await isReachable(data, user)) ? join(data, "postgres") : homeElsewhere(data)
}

const shortName = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16)

async function homeElsewhere(data: string): Promise<string> {
  const directory = join(SHARED_HOME, shortName(data))
  await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 })
  await writeFile(
    join(data, "POSTGRES-IS-ELSEWHERE.txt"),
    `The user who runs PostgreSQL cannot reach this folder, so its database is in ${directory}\n`,
  )
  return directory
}

/** A deep folder cannot hold a socket: a short one stands in, closed to others as well. */
async function claimSocketDirectory(directory: string, user: OsUser | undefined): Promise<string> {
  if (Buffer.byteLength(directory) <= LONGEST_SOCKET_DIRECTORY) return directory
  const short = join(tmpdir(), `restwell-${shortName(directory)}`)
  await claim(short, user)
  return short
}

/** @throws {Error} when somebody else made the folder before us, who could then read what passes through it */
async function claim(directory: string, user: OsUser | undefined): Promise<void> {
  const owner = user?.uid ?? process.getuid?.()
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { uid, mode } = await stat(directory)
  if (uid !== owner && uid !== process.getuid?.())
    throw new Error(`${directory} belongs to another user, remove it or move DATA_DIR`)
  if ((mode & 0o077) !== 0) await chmod(directory, 0o700)
  if (user) await chown(directory, user.uid, user.gid)
}

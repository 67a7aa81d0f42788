/** The folder of a DATA_DIR's cluster. An existing one is found again even if permissions of the folders above change. */

import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { chmod, chown, lstat, mkdir, readFile, realpath, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { OperatorError } from "@restwell/core"
import { FOLDER_DESCRIPTOR } from "./guarded-process.ts"

/** Belongs to the user who runs the cluster, and is closed to all others. */
export interface Home {
  readonly directory: string
  readonly cluster: string
  readonly socketDirectory: string
  /** The user who runs PostgreSQL; undefined for our own user. */
  readonly user: OsUser | undefined
  /**
   * The folder's path for PostgreSQL. Where only root can walk to the folder, that is a descriptor of it, which root opens: Linux finds what is
   * below without the folders above.
   */
  readonly seenAs: string
}

/** PostgreSQL cannot use this DATA_DIR. */
class UnusableHome extends OperatorError {
  override readonly name = "UnusableHome"
}

/** Longest path of a Unix socket on Linux is 107 bytes, on macOS 103; the file's own name takes 16 of them. */
const LONGEST_SOCKET_DIRECTORY = 103 - "/.s.PGSQL.5432x".length

/** The home where only root can walk to it. */
export const SEEN_AS = `/proc/self/fd/${FOLDER_DESCRIPTOR}`

/** Prepares the home of DATA_DIR's cluster. @throws {UnusableHome} when its user cannot own or reach it */
export async function prepareHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true })
  const directory = join(await realpath(dataDir), "postgres")
  const cluster = join(directory, "cluster")
  const unprivileged = await postgresUser()
  // A cluster keeps the user who made it.
  const user = unprivileged && ((await ownerOf(cluster)) ?? unprivileged)
  await claim(directory, user)
  const isReached = await isReachable(directory, user)
  if (!isReached && process.platform !== "linux")
    throw new UnusableHome(
      `the user who runs PostgreSQL (uid ${user?.uid}) cannot reach ${directory}`,
      "give it search permission (x) on the folders above, or choose another DATA_DIR",
    )
  const socketDirectory = await claimSocketDirectory(directory, user)
  return { directory, cluster, socketDirectory, user, seenAs: isReached ? directory : SEEN_AS }
}

/** True when a start has made a database for this DATA_DIR. */
export const hasCluster = async (dataDir: string): Promise<boolean> => existsSync(join(dataDir, "postgres", "cluster"))

/** A path of the home as PostgreSQL sees it. */
export const seenBy = ({ directory, seenAs }: Home, path: string): string => join(seenAs, relative(directory, path))

const shortName = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16)

async function ownerOf(cluster: string): Promise<OsUser | undefined> {
  if (!existsSync(cluster)) return undefined
  const { uid, gid } = await stat(cluster)
  return uid === 0 ? undefined : { uid, gid }
}

/** Returns a folder with a path short enough for a socket, closed to other users. */
async function claimSocketDirectory(directory: string, user: OsUser | undefined): Promise<string> {
  if (Buffer.byteLength(directory) <= LONGEST_SOCKET_DIRECTORY) return directory
  const short = join(tmpdir(), `restwell-${shortName(directory)}`)
  await claim(short, user)
  return short
}

/** Makes a folder that only the user can read. An existing one may be an attack: a link, or another user's folder. */
async function claim(directory: string, user: OsUser | undefined): Promise<void> {
  const owner = user?.uid ?? process.getuid?.()
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const found = await lstat(directory)
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.()))
    throw new UnusableHome(
      `${directory} belongs to another user (uid ${found.uid})`,
      "start as that user, or choose another DATA_DIR",
    )
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700)
  if (user) await chown(directory, user.uid, user.gid)
}

/** An unprivileged user of the machine, by number. */
export interface OsUser {
  readonly uid: number
  readonly gid: number
}

/** Users to run PostgreSQL as when we are root, which PostgreSQL refuses. The first one that exists is used. */
const CANDIDATES = ["postgres", "nobody"]

/**
 * The user who runs PostgreSQL: undefined for our own user, another one if we are root. It is read from a file, because Ctrl-C would end a
 * program that looks for it, and the user would seem to be missing.
 * @see https://man7.org/linux/man-pages/man5/passwd.5.html
 */
export async function postgresUser(): Promise<OsUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"))
  const found = CANDIDATES.map((name) => users.find(([known]) => known === name)).find((user) => user !== undefined)
  if (!found)
    throw new Error(`PostgreSQL does not run as root, and there is no user ${CANDIDATES.join(" or ")} to run it as`)
  const [, , uid, gid] = found
  // On macOS `nobody` is -2.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/** True when the user has search permission on a directory and all folders above it. Our own user has. */
export async function isReachable(path: string, user: OsUser | undefined): Promise<boolean> {
  if (!user) return true
  for (let directory = path; ; directory = dirname(directory)) {
    const { mode, uid, gid } = await stat(directory)
    const search = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & search) === 0) return false
    if (directory === dirname(directory)) return true
  }
}

/** The folder of a DATA_DIR's cluster. An existing one is found again even if permissions of the folders above change. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { chmod, chown, lstat, mkdir, readFile, realpath, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isReachable, type OsUser, postgresUser } from "./os-user.ts"

/** Belongs to the user who runs the cluster, and is closed to all others. */
export interface Home {
  readonly directory: string
  readonly cluster: string
  readonly socketDirectory: string
  /** The user who runs PostgreSQL; undefined for our own user. */
  readonly user: OsUser | undefined
  /** True when that user cannot reach DATA_DIR, so that the home is in another folder. */
  readonly isElsewhere: boolean
}

/** PostgreSQL cannot use this DATA_DIR. */
export class UnusableHome extends Error {
  override readonly name = "UnusableHome"
}

/** Longest path of a Unix socket on Linux is 107 bytes, on macOS 103; the file's own name takes 16 of them. */
const LONGEST_SOCKET_DIRECTORY = 103 - "/.s.PGSQL.5432x".length

const SHARED_HOME = "/var/lib/restwell"
const NOTE = "POSTGRES-IS-ELSEWHERE.txt"

/** Prepares the home of DATA_DIR's cluster. @throws {UnusableHome} when its user cannot own or reach it */
export async function prepareHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true })
  const data = await realpath(dataDir)
  const inside = join(data, "postgres")
  const unprivileged = await postgresUser()
  const directory = await homeOf(data, inside, unprivileged)
  const isElsewhere = directory !== inside
  if (isElsewhere) await leaveNote(data, directory)
  // A cluster keeps the user who made it.
  const user = unprivileged && ((await ownerOf(directory)) ?? unprivileged)
  await claim(directory, user)
  if (!(await isReachable(directory, user)))
    throw new UnusableHome(
      `the user who runs PostgreSQL (uid ${user?.uid}) cannot reach its database in ${directory}: give it search permission (x) on the folders above`,
    )
  const socketDirectory = await claimSocketDirectory(directory, user)
  return { directory, cluster: join(directory, "cluster"), socketDirectory, user, isElsewhere }
}

/** True when a start has made a database for this DATA_DIR. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const homes = [join(dataDir, "postgres"), await readNote(dataDir)]
  return homes.some((directory) => directory !== undefined && existsSync(join(directory, "cluster")))
}

/** `DATA_DIR/postgres`, or for root a shared folder if the unprivileged user cannot reach that. */
async function homeOf(data: string, inside: string, user: OsUser | undefined): Promise<string> {
  if (existsSync(join(inside, "cluster"))) return inside
  const noted = await readNote(data)
  if (noted !== undefined) return noted
  return (await isReachable(data, user)) ? inside : join(SHARED_HOME, shortName(data))
}

const shortName = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16)

/** People read the note. Its last line is for readNote. */
async function leaveNote(data: string, directory: string): Promise<void> {
  await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 })
  await writeFile(
    join(data, NOTE),
    `The user who runs PostgreSQL cannot reach this folder, so its database is in\n${directory}\n`,
  )
}

async function readNote(data: string): Promise<string | undefined> {
  const path = join(data, NOTE)
  if (!existsSync(path)) return undefined
  const directory = (await readFile(path, "utf8")).trimEnd().split("\n").at(-1) ?? ""
  // The note may have been edited, so accept only our own folders.
  return dirname(directory) === SHARED_HOME && existsSync(directory) ? directory : undefined
}

async function ownerOf(directory: string): Promise<OsUser | undefined> {
  if (!existsSync(join(directory, "cluster"))) return undefined
  const { uid, gid } = await stat(join(directory, "cluster"))
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
      `${directory} belongs to another user (uid ${found.uid}): start as that user, or choose another DATA_DIR`,
    )
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700)
  if (user) await chown(directory, user.uid, user.gid)
}

import { execFile } from "node:child_process"
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import { promisify } from "node:util"

/** An unprivileged user of the machine, by number. */
export interface OsUser {
  readonly uid: number
  readonly gid: number
}

const run = promisify(execFile)

/** Users to run PostgreSQL as when we are root, which PostgreSQL refuses. The first one that exists is used. */
const CANDIDATES = ["postgres", "nobody"]

/** The user who runs PostgreSQL: undefined for our own user, another one if we are root. */
export async function postgresUser(): Promise<OsUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of CANDIDATES) {
    const user = await lookUp(name)
    if (user) return user
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${CANDIDATES.join(" or ")} to run it as`)
}

async function lookUp(name: string): Promise<OsUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    // `id` fails for a user that does not exist.
    return undefined
  }
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

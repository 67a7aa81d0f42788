import { randomUUID } from "node:crypto"
import { mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { ConfigError } from "./config.ts"

/** What to do about the reason that a folder cannot be used. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there: start as the user who owns it, or choose another folder",
  EPERM: "this user may not write there: start as the user who owns it, or choose another folder",
  EROFS: "it is on a read-only file system: mount it writable, or choose another folder",
  EEXIST: "there is a file of that name: move it away, or choose another folder",
  ENOTDIR: "a part of that path is a file: move it away, or choose another folder",
  ENOENT: "no folder can be made there: choose another one",
  ENAMETOOLONG: "the path is too long: choose a shorter one",
  ELOOP: "a link in that path leads to itself: correct it, or choose another folder",
  ENOSPC: "its disk is full: free some space",
  EDQUOT: "this user's share of its disk is used up: free some space",
  EIO: "its disk has an error: choose another folder",
}
/** What a full disk has no room for. */
const PROBE = Buffer.alloc(4096)

/** Makes DATA_DIR if it is not there, and checks that files can be written in it. @throws {ConfigError} with the reason and what to do */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await probe(join(dataDir, `probe-${randomUUID()}`))
  } catch (error) {
    throw unusable("DATA_DIR", dataDir, error)
  }
}

async function probe(path: string): Promise<void> {
  try {
    await using file = await open(path, "wx", 0o600)
    await file.writeFile(PROBE)
  } finally {
    await rm(path, { force: true })
  }
}

/** The mistake that a folder or file of DATA_DIR cannot be used. Returns other errors as they are. */
export function unusable(what: string, path: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error
  const advice = ADVICE[String(error.code)]
  return advice === undefined ? error : new ConfigError([`${what} cannot be used (${path}): ${advice}`])
}

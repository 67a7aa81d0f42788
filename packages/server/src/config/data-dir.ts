import { randomUUID } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { makeFolders } from "@restwell/core"
import { hasCluster } from "@restwell/postgres"
import { UnusableSetting } from "./config-errors.ts"

/** The demo's data, unless `--data-dir` names another folder. */
export const DEMO_DIR = ".demo"

/** How to use the demo's data, if they are beside this folder. */
export const hintAtDemo = async (dataDir: string): Promise<string | undefined> =>
  resolve(dataDir) !== resolve(DEMO_DIR) && (await hasCluster(DEMO_DIR))
    ? `the demo's data is in ${DEMO_DIR}, so use --data-dir ${DEMO_DIR} or set DATA_DIR=${DEMO_DIR}`
    : undefined

/** What to do about the reason that a folder cannot be used. */
const ADVICE: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: ["this user may not write there", "start as the user who owns it, or choose another folder"],
  EPERM: ["this user may not write there", "start as the user who owns it, or choose another folder"],
  EROFS: ["it is on a read-only file system", "mount it writable, or choose another folder"],
  EEXIST: ["there is a file of that name", "move it away, or choose another folder"],
  ENOTDIR: ["a part of that path is a file", "move it away, or choose another folder"],
  ENOENT: ["no folder can be made there", "choose another one"],
  ENAMETOOLONG: ["the path is too long", "choose a shorter one"],
  ELOOP: ["a link in that path leads to itself", "correct it, or choose another folder"],
  ENOSPC: ["its disk is full", "free some space"],
  EDQUOT: ["this user's share of its disk is used up", "free some space"],
  EIO: ["its disk has an error", "choose another folder"],
}
/** What a full disk has no room for. */
const PROBE = Buffer.alloc(4096)

/** Makes DATA_DIR if it is not there, and checks that files can be written in it. @throws {ConfigError} with the reason and what to do */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolders(resolve(dataDir))
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
  if (advice === undefined) return error
  const [reason, remedy] = advice
  return new UnusableSetting(`${what} cannot be used (${path}): ${reason}`, remedy)
}

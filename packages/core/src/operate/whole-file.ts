import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { OperatorMessage } from "../base/operator-errors.ts"

/** A file of that name exists already. */
export class FileExists extends OperatorMessage {
  override readonly name = "FileExists"
}

/** What to do about the reason that a file cannot be written. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "its disk is full: free some space",
  EDQUOT: "this user's share of its disk is used up: free some space",
  EFBIG: "its file system takes no file of this size: choose another one",
  EACCES: "this user may not write there: change the owner, or choose another folder",
  EPERM: "this user may not write there: change the owner, or choose another folder",
  EROFS: "it is on a read-only file system: mount it writable, or choose another folder",
  ENOTDIR: "a part of the path is a file: choose another folder",
  EEXIST: "there is a file of that name: choose another folder",
  ENOENT: "the folder is not there and cannot be made: choose another one",
  ENAMETOOLONG: "the path is too long: choose a shorter one",
  EIO: "its disk has an error: choose another folder",
}

/** What is wrong with a file or folder, in words for the operator. Undefined for an error of another kind. */
export function fileTrouble(error: unknown): string | undefined {
  // Errors of the database's socket have a code too.
  if (!(error instanceof Error && "code" in error && "syscall" in error) || error.syscall === "connect")
    return undefined
  return ADVICE[String(error.code)]
}

/** Makes a folder and those above it. Node's own `recursive` never returns where the system refuses with ENOENT, as in /proc. */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error
    await makeFolders(dirname(path), mode)
    await makeFolders(path, mode)
  }
}

/** The name of a file while it is written. A killed process leaves it behind. */
export const UNFINISHED = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial$/

/**
 * Writes a file that only its owner can read. It gets its name when all of it is on disk, so that there is a whole file or none.
 * @returns its size in bytes
 * @throws {FileExists} when there is one of that name
 */
export async function writeWholeFile<Result>(
  path: string,
  produce: (write: (bytes: Buffer) => Promise<void>) => Promise<Result>,
): Promise<{ readonly bytes: number; readonly result: Result }> {
  const unfinished = `${path}.${randomUUID()}.partial`
  try {
    await using file = await open(unfinished, "wx", 0o600)
    let bytes = 0
    const result = await produce(async (part) => {
      // A write may end early on a full disk; writeFile continues until all is written or an error says why not.
      await file.writeFile(part)
      bytes += part.length
    })
    await file.sync()
    await nameFile(unfinished, path)
    return { bytes, result }
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * What other users of this machine can do in the folder of backups: replace and delete files, or list them. Undefined if nothing, or if there
 * is no folder.
 */
export async function othersCan(directory: string): Promise<"change" | "read" | undefined> {
  if (process.platform === "win32") return undefined
  const mode = await stat(directory).then(
    (found) => found.mode,
    () => 0,
  )
  if ((mode & 0o022) !== 0) return "change"
  return (mode & 0o044) === 0 ? undefined : "read"
}

/** Gives the file its name unless there is one of that name, also for file systems without hard links. */
async function nameFile(unfinished: string, path: string): Promise<void> {
  await link(unfinished, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new FileExists(`${path} exists already: choose another name, or delete it first`)
    await rename(unfinished, path)
  })
  await using directory = await open(dirname(path))
  await directory.sync()
}

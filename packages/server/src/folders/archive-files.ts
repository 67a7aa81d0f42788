/** Which files of a folder are archives, and how one is opened without following links out of the folder. */
import { constants } from "node:fs"
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises"
import { extname, join, sep } from "node:path"

/** One version of a file. */
export interface FoundFile {
  readonly path: string
  readonly size: number
  readonly modifiedAt: Date
  /** False for a file of a folder within. */
  readonly isDirect: boolean
}

/** As vendors and apps send archives. */
const WHOLE_ARCHIVES: ReadonlySet<string> = new Set([".zip", ".db", ".sqlite", ".sqlite3"])
/** As they are within archives that were unpacked. Some are an export by themselves. */
const TABLES: ReadonlySet<string> = new Set([".xml", ".csv", ".json"])
/** Files that a program has not finished: Syncthing's begin with a dot or this word, others end so. */
const UNFINISHED = /^(?:\.|~)|\.(?:tmp|part|partial|crdownload|download)$/i

const MOST_LEVELS = 8
/** A folder with more was not meant. Takeout of ten years has some thousands. */
const MOST_FILES = 100_000

export const isWholeArchive = (path: string): boolean => WHOLE_ARCHIVES.has(extname(path).toLowerCase())

export const isTable = (path: string): boolean => TABLES.has(extname(path).toLowerCase())

/** A file or folder that cannot be read. */
interface UnreadablePath {
  readonly path: string
  /** In the words of the operating system. */
  readonly reason: string
}

/** What is wrong with one file or folder. Others of the same folder can still be read. @see https://man7.org/linux/man-pages/man3/errno.3.html */
const OWN_FAULTS: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EPERM",
  "ENOENT",
  "ENOTDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "EBUSY",
  "EIO",
  "ESTALE",
])

/** Why one file or folder cannot be read. Undefined for an error of another kind. */
export function unreadableReason(error: unknown): string | undefined {
  // Errors of the database's socket have such codes too.
  if (!(error instanceof Error && "code" in error && "syscall" in error) || error.syscall === "connect")
    return undefined
  return OWN_FAULTS.has(error.code) ? error.message : undefined
}

/**
 * The files of a folder and of those within, by their path, and what of it cannot be read. Links, hidden files and unfinished ones are left
 * out.
 */
export async function findFiles(
  folder: string,
): Promise<{ readonly files: readonly FoundFile[]; readonly unreadable: readonly UnreadablePath[] }> {
  const files: FoundFile[] = []
  const unreadable: UnreadablePath[] = []
  const look = async (directory: string, level: number): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true })
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(directory, entry.name)
      if (UNFINISHED.test(entry.name) || files.length >= MOST_FILES) continue
      await unlessUnreadable(path, async () => {
        if (entry.isDirectory() && level < MOST_LEVELS) await look(path, level + 1)
        else if (entry.isFile()) files.push({ path, isDirect: level === 1, ...versionOf(await stat(path)) })
      })
    }
  }
  const unlessUnreadable = async (path: string, read: () => Promise<void>): Promise<void> => {
    try {
      await read()
    } catch (error) {
      const reason = unreadableReason(error)
      if (reason === undefined) throw error
      unreadable.push({ path, reason })
    }
  }
  await unlessUnreadable(folder, () => look(folder, 1))
  return { files, unreadable }
}

/** Files in the order in which they were written, because of two archives the newest import counts. Browsers name a newer one `whoop (1).zip`. */
export const oldestFirst = (files: readonly FoundFile[]): FoundFile[] =>
  files.toSorted(
    (one, other) => one.modifiedAt.getTime() - other.modifiedAt.getTime() || (one.path < other.path ? -1 : 1),
  )

const versionOf = ({ size, mtime }: { size: number; mtime: Date }): Pick<FoundFile, "size" | "modifiedAt"> => ({
  size,
  modifiedAt: mtime,
})

/** An open file of a folder. */
export interface OpenFile extends AsyncDisposable {
  readonly content: AsyncIterable<Uint8Array>
  /** @returns false once the file is another version */
  isUnchanged(): Promise<boolean>
}

/** Opens this version of a file. @returns undefined if it is another one by now, or no longer a file of the folder */
export async function openFoundFile(folder: string, file: FoundFile): Promise<OpenFile | undefined> {
  // A link that took the file's place would be read with the rights of the service.
  await using stack = new AsyncDisposableStack()
  const handle = stack.use(await open(file.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)))
  const isUnchanged = () => isVersion(handle, file)
  const real = await realpath(file.path)
  if (!real.startsWith(`${await realpath(folder)}${sep}`) || !(await isUnchanged())) return undefined
  const opened = stack.move()
  return {
    content: handle.createReadStream({ autoClose: false }),
    isUnchanged,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function isVersion(handle: FileHandle, { size, modifiedAt }: FoundFile): Promise<boolean> {
  const found = await handle.stat()
  return found.isFile() && found.size === size && found.mtime.getTime() === modifiedAt.getTime()
}

/** IMPORT_DIR: a folder for each person, named by the email address, whose archives are imported by themselves. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { SECOND_MS } from "@restwell/client/time-units"
import {
  type Context,
  endFormerImports,
  findUserByEmail,
  importFolderFile,
  isImported,
  ServiceError,
} from "@restwell/core"
import {
  type FoundFile,
  findFiles,
  isTable,
  isWholeArchive,
  oldestFirst,
  openFoundFile,
  unreadableReason,
} from "./archive-files.ts"

/** How often the folders are looked at. */
export const LOOK_AT_FOLDERS_MS = 5 * SECOND_MS
/** A file that nobody has written to for this long is whole. One that grows again later is a new version. */
const QUIET_MS = 20 * SECOND_MS

interface FolderWatchOptions {
  readonly directory: string
  readonly context: Context
  /** Largest archive that is taken. */
  readonly importMaxBytes: number
}

interface Seen {
  readonly version: string
  readonly sinceMs: number
  /** Imported, or refused for good. */
  isSettled: boolean
}

interface FolderImport {
  readonly folder: string
  readonly userId: string
  readonly file: FoundFile
  readonly signal: AbortSignal
}

/** The parts of a file, until the signal aborts. @throws its reason */
async function* untilAborted(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of content) {
    signal.throwIfAborted()
    yield bytes
  }
}

/** Looks at the folders again and again. What was imported is in the database, so that no restart imports it again. */
export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #seen = new Map<string, Seen>()
  readonly #warned = new Set<string>()
  /** People whose former imports may end. */
  readonly #changed = new Set<string>()

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /**
   * Imports what is new and whole. One person's folder that cannot be read stops no other's.
   * @param signal ends the look at the next part of a file, which is imported again later
   */
  async look(signal: AbortSignal): Promise<void> {
    const { directory, context } = this.#options
    const inTurn = async (failure: string, fields: object, work: () => Promise<unknown>) => {
      if (signal.aborted) return
      try {
        await work()
      } catch (error) {
        context.logger.error({ err: error, ...fields }, failure)
      }
    }
    for (const entry of await this.#listed(directory)) {
      if (!entry.isDirectory() || entry.name.startsWith(".")) continue
      await inTurn("could not look at a folder of IMPORT_DIR", { folder: entry.name }, () =>
        this.#lookAt(entry.name, signal),
      )
    }
    for (const userId of this.#changed)
      await inTurn("could not end the import of a former version", { userId }, async () => {
        if ((await endFormerImports(context, userId)) === 0) this.#changed.delete(userId)
      })
  }

  async #listed(directory: string) {
    try {
      return await readdir(directory, { withFileTypes: true })
    } catch (error) {
      this.#warnOnce(directory, { err: error }, "IMPORT_DIR cannot be read")
      return []
    }
  }

  async #lookAt(email: string, signal: AbortSignal): Promise<void> {
    const folder = join(this.#options.directory, email)
    const { files, unreadable } = await findFiles(folder)
    for (const { path, reason } of unreadable) this.#warnUnreadable(path, reason)
    // Tables deeper down are parts of an archive that was unpacked.
    const archives = files.filter(({ path, isDirect }) => isWholeArchive(path) || (isDirect && isTable(path)))
    const whole = archives.filter((file) => this.#isWhole(file))
    if (whole.length === 0) return
    const userId = await findUserByEmail(this.#options.context, email)
    if (userId === undefined)
      return this.#warnOnce(folder, { folder }, "a folder of IMPORT_DIR has the name of no account")
    for (const file of oldestFirst(whole)) {
      const isDone = await this.#import({ folder, userId, file, signal })
      // The person's others wait too, until there is room.
      if (!isDone || signal.aborted) return
    }
  }

  /** True for a file that has not changed for a while, and is not settled yet. */
  #isWhole({ path, size, modifiedAt }: FoundFile): boolean {
    const nowMs = this.#options.context.clock.now().getTime()
    const version = `${size} ${modifiedAt.getTime()}`
    const seen = this.#seen.get(path)
    if (seen?.version !== version) {
      this.#seen.set(path, { version, sinceMs: nowMs, isSettled: false })
      return false
    }
    return !seen.isSettled && nowMs - seen.sinceMs >= QUIET_MS
  }

  /** @returns false if the person has no room for it now */
  async #import({ folder, userId, file, signal }: FolderImport): Promise<boolean> {
    const { context, importMaxBytes } = this.#options
    if (file.size > importMaxBytes || file.size === 0) {
      this.#settle(file)
      const problem =
        file.size === 0 ? "a file of IMPORT_DIR is empty" : "a file of IMPORT_DIR is larger than IMPORT_MAX_MB allows"
      this.#warnOnce(file.path, { path: file.path }, problem)
      return true
    }
    if (await isImported(context, { userId, ...file })) {
      this.#settle(file)
      this.#changed.add(userId)
      return true
    }
    try {
      await using opened = await openFoundFile(folder, file)
      if (!opened) return true
      const content = untilAborted(opened.content, signal)
      const id = await importFolderFile(context, { userId, ...file, ...opened, content, includesPrivate: false })
      context.logger.info({ userId, importId: id }, "a file of IMPORT_DIR is imported")
      this.#changed.add(userId)
      return true
    } catch (error) {
      if (signal.aborted) return false
      const unreadable = unreadableReason(error)
      if (unreadable !== undefined) {
        this.#warnUnreadable(file.path, unreadable)
        return true
      }
      if (!(error instanceof ServiceError)) throw error
      this.#warnOnce(`${file.path} ${error.message}`, { userId, reason: error.message }, "a file of IMPORT_DIR waits")
      return false
    }
  }

  #settle({ path }: FoundFile): void {
    const seen = this.#seen.get(path)
    if (seen) seen.isSettled = true
  }

  /** It is looked at again, because its rights may change. */
  #warnUnreadable(path: string, reason: string): void {
    this.#warnOnce(path, { path, reason }, "a file or folder of IMPORT_DIR cannot be read and is left out")
  }

  #warnOnce(subject: string, fields: object, text: string): void {
    if (this.#warned.has(subject)) return
    this.#warned.add(subject)
    this.#options.context.logger.warn(fields, text)
  }
}

import { glob, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"

/** Making one takes seconds, so an older one is from a start that was killed. */
const ABANDONED_MS = 10 * 60_000

/** Deletes unfinished folders of killed starts, beside one that was just made. */
export async function removeAbandoned(justMade: string, pattern: string): Promise<void> {
  const directory = dirname(justMade)
  const { mtimeMs: nowMs } = await stat(justMade)
  for await (const name of glob(pattern, { cwd: directory })) {
    const path = join(directory, name)
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      // A simultaneous start renamed or deleted its own.
      if (error.code === "ENOENT") return undefined
      throw error
    })
    if (found && nowMs - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

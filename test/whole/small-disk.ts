import { execFile } from "node:child_process"
import { chmod, type FileHandle, mkdtemp, open, rm, rmdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"

const run = promisify(execFile)
const MB = 1_048_576
const FILL_EVERY_MS = 5

/** A real file system that a test can fill to the last byte. */
export interface SmallDisk {
  readonly directory: string
  /** Fills it completely. */
  fill(): Promise<void>
  /** Takes every byte that gets free, until this is disposed. */
  keepFull(): AsyncDisposable
  /** Frees the space again. */
  free(): Promise<void>
  makeReadOnly(): Promise<void>
  remove(): Promise<void>
}

/** Mounts one. Returns the reason as text if this system or user cannot. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | string> {
  const directory = await mkdtemp(join(tmpdir(), "restwell-disk-"))
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory])
  } catch (error) {
    await rmdir(directory)
    return error instanceof Error ? error.message : String(error)
  }
  await chmod(directory, 0o755)
  const ballast = join(directory, "ballast")
  const fill = async () => {
    await using file = await open(ballast, "a")
    // The last blocks too.
    for (const bytes of [MB, 4_096]) await appendUntilFull(file, Buffer.alloc(bytes))
  }
  return {
    directory,
    fill,
    keepFull() {
      const ending = new AbortController()
      const filling = (async () => {
        for (; !ending.signal.aborted; await wait(FILL_EVERY_MS)) await fill()
      })()
      return {
        async [Symbol.asyncDispose]() {
          ending.abort()
          await filling
        },
      }
    },
    free: () => rm(ballast, { force: true }),
    async makeReadOnly() {
      await run("mount", ["-o", "remount,ro", directory])
    },
    async remove() {
      await run("umount", [directory])
      await rmdir(directory)
    },
  }
}

async function appendUntilFull(file: FileHandle, bytes: Buffer): Promise<void> {
  for (;;) {
    try {
      await file.appendFile(bytes)
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOSPC") return
      throw error
    }
  }
}

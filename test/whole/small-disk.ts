import { execFile } from "node:child_process"
import { chmod, mkdtemp, rm, rmdir, statfs, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A real file system that a test can fill to the last byte. */
export interface SmallDisk {
  readonly directory: string
  /** Fills it completely. */
  fill(): Promise<void>
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
  return {
    directory,
    async fill() {
      const { bavail, bsize } = await statfs(directory)
      await writeFile(ballast, Buffer.alloc(bavail * bsize))
    },
    free: () => rm(ballast),
    async makeReadOnly() {
      await run("mount", ["-o", "remount,ro", directory])
    },
    async remove() {
      await run("umount", [directory])
      await rmdir(directory)
    },
  }
}

import { execFile } from "node:child_process"
import { chmod, mkdtemp, rm, rmdir, statfs, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A real file system of its own that a test can fill to the last byte. */
export interface SmallDisk {
  readonly directory: string
  /** Takes all the room there is. */
  fill(): Promise<void>
  /** Gives it back. */
  free(): Promise<void>
  remove(): Promise<void>
}

/** @returns why not, where this system or user mounts none */
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
    async remove() {
      await run("umount", [directory])
      await rmdir(directory)
    },
  }
}

import { open, rm } from "node:fs/promises"
import { join } from "node:path"

const SYNCED_BYTES = 8_192
const SYNCING_MS = 2_000
const WRITTEN_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 20

export interface DiskSpeed {
  /** Small writes, each synced before the next. */
  readonly syncsPerSecond: number
  /** Bytes of one long write, synced at its end. */
  readonly bytesPerSecond: number
}

/** How fast the disk of a folder is. */
export async function diskSpeedOf(folder: string): Promise<DiskSpeed> {
  const path = join(folder, "disk-speed")
  const file = await open(path, "w")
  try {
    const block = Buffer.alloc(SYNCED_BYTES, 1)
    let syncs = 0
    const syncingAt = performance.now()
    for (; performance.now() < syncingAt + SYNCING_MS; syncs += 1) {
      // As the write-ahead log is written: into files that have their length already.
      await file.write(block, 0, block.length, (syncs % 2_000) * SYNCED_BYTES)
      await file.datasync()
    }
    const syncsPerSecond = (1_000 * syncs) / (performance.now() - syncingAt)
    const chunk = Buffer.alloc(CHUNK_BYTES, 1)
    const writingAt = performance.now()
    for (let written = 0; written < WRITTEN_BYTES; written += CHUNK_BYTES)
      await file.write(chunk, 0, chunk.length, written)
    await file.datasync()
    return { syncsPerSecond, bytesPerSecond: (1_000 * WRITTEN_BYTES) / (performance.now() - writingAt) }
  } finally {
    await file.close()
    await rm(path)
  }
}

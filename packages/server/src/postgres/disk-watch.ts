// The disk of the embedded PostgreSQL. PostgreSQL stops when it cannot write its log of changes, and cannot start again on a full disk.
// A reserve file in DATA_DIR gives it the space to do so, and to answer reads until the operator has freed more.
import { randomFillSync } from "node:crypto"
import { open, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { type Disk, LOW_BYTES, LOW_DISK, type Logger } from "@restwell/core"
import { repeat, type Wait } from "../process/wait.ts"

const MB = 1_048_576
/** Two files of PostgreSQL's log of changes, 16 MB each. */
const FULL_BYTES = 32 * MB
/** Four of them. */
const RESERVE_BYTES = 64 * MB
const RESERVE_NAME = "reserve"
const LOOK_MS = 1_000

/** `low`: uploads, imports and syncs wait. `full`: PostgreSQL may stop at any moment. */
export type DiskState = "ok" | "low" | "full"

/** The disk of a database, as the operator sees it. */
export interface WatchedDisk extends Disk {
  /** Undefined where the database is on another machine. */
  state(): Promise<DiskState | undefined>
}

/** The disk of a database on another machine. Its errors say when it is full. */
export const UNKNOWN_DISK: WatchedDisk = { freeBytes: async () => undefined, state: async () => undefined }

export class DiskWatch implements WatchedDisk {
  readonly #dataDir: string
  readonly #reserve: string
  readonly #logger: Pick<Logger, "info" | "warn">
  #reported: DiskState = "ok"

  constructor(dataDir: string, logger: Pick<Logger, "info" | "warn">) {
    this.#dataDir = dataDir
    this.#reserve = join(dataDir, RESERVE_NAME)
    this.#logger = logger
  }

  freeBytes(): Promise<number> {
    return freeBytes(this.#dataDir)
  }

  async state(): Promise<DiskState> {
    const free = await this.freeBytes()
    // Without the reserve, the free space is what PostgreSQL needs to go on.
    const own = free - (free < LOW_BYTES && !(await this.#hasReserve()) ? RESERVE_BYTES : 0)
    if (own < FULL_BYTES) return "full"
    return own < LOW_BYTES ? "low" : "ok"
  }

  /** True while the disk is full. PostgreSQL then has the space of the reserve. */
  async isFull(): Promise<boolean> {
    if ((await this.state()) !== "full") return false
    await rm(this.#reserve, { force: true })
    return true
  }

  /** Looks at the disk again and again, tells the operator of changes, and makes the reserve when there is space for it. */
  async watch(wait: Wait, signal: AbortSignal): Promise<void> {
    const look = () =>
      this.#look(signal).catch((error: unknown) =>
        this.#logger.warn({ err: error }, "the disk of DATA_DIR cannot be looked at"),
      )
    await look()
    await repeat(look, { everyMs: LOOK_MS, wait, signal })
  }

  async #look(signal: AbortSignal): Promise<void> {
    const state = (await this.isFull()) ? "full" : await this.state()
    if (state !== this.#reported) this.#report(state)
    this.#reported = state
    if (state === "ok" && !(await this.#hasReserve()) && (await this.freeBytes()) > LOW_BYTES + RESERVE_BYTES)
      await this.#makeReserve(signal)
  }

  #report(state: DiskState): void {
    if (state === "ok") this.#logger.info({}, "the disk of DATA_DIR has space again")
    else
      this.#logger.warn({ state }, `${LOW_DISK}. Uploads, imports and syncs wait until then, and go on by themselves`)
  }

  async #hasReserve(): Promise<boolean> {
    return stat(this.#reserve).then(
      ({ size }) => size === RESERVE_BYTES,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return false
        throw error
      },
    )
  }

  /** Random bytes, because some file systems store zeros without space. */
  async #makeReserve(signal: AbortSignal): Promise<void> {
    const bytes = randomFillSync(Buffer.alloc(MB))
    try {
      await using file = await open(this.#reserve, "w", 0o600)
      for (let written = 0; written < RESERVE_BYTES && !signal.aborted; written += MB) await file.writeFile(bytes)
      await file.sync()
    } catch (error) {
      await rm(this.#reserve, { force: true })
      throw error
    }
  }
}

/** The disk of the database of these settings. */
export const diskOf = (
  { databaseUrl, dataDir }: { readonly databaseUrl: string | undefined; readonly dataDir: string },
  logger: Pick<Logger, "info" | "warn">,
): WatchedDisk => (databaseUrl === undefined ? new DiskWatch(dataDir, logger) : UNKNOWN_DISK)

/** Bytes that this user may write below a folder. 0 if the disk can hold no more files. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  return files > 0 && ffree === 0 ? 0 : bavail * bsize
}

import type { Pool } from "pg"
import type { Context } from "../context/context.ts"
import { writeWholeFile } from "./backup-file.ts"
import { beginBackup, endBackup, forgetBackup, showLife } from "./backup-log.ts"
import { type WriteOptions, type WrittenRows, writeBackup } from "./write-backup.ts"

export interface LoggedBackupOptions extends Omit<WriteOptions, "write"> {
  readonly file: string
}

export type LoggedBackupContext = Pick<Context, "database"> & { readonly pool: Pool }

/** PostgreSQL's codes for a table that is missing, as in a database of an earlier version, and for a standby, which takes no rows. */
const NO_LOG = new Set(["42P01", "25006"])
const SHOW_LIFE_MS = 5_000

/** Writes a backup to a file of its own, and logs it where the database has the log. */
export async function writeLoggedBackup(
  context: LoggedBackupContext,
  options: LoggedBackupOptions,
): Promise<WrittenRows & { readonly bytes: number }> {
  const entry = { origin: "command", file: options.file, hasSecret: options.hasSecret } as const
  const id = await beginBackup(context, entry).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && NO_LOG.has(String(error.code))) return undefined
    throw error
  })
  try {
    const written = await writeFile(context, id, options)
    if (id !== undefined) await endBackup(context, id, written)
    return written
  } catch (error) {
    // Its operator sees why it failed. If the database is gone, the entry ends by its silence.
    if (id !== undefined) await forgetBackup(context, id).catch(() => undefined)
    throw error
  }
}

/** Writes the file of a logged backup. @param id its entry in the log, where it has one */
export async function writeFile(
  context: LoggedBackupContext,
  id: string | undefined,
  { file, ...options }: LoggedBackupOptions,
): Promise<WrittenRows & { readonly bytes: number }> {
  let shownMs = performance.now()
  const { bytes, result } = await writeWholeFile(file, (writeBytes) =>
    writeBackup(context.pool, {
      ...options,
      async write(part) {
        await writeBytes(part)
        const nowMs = performance.now()
        if (id === undefined || nowMs - shownMs < SHOW_LIFE_MS) return
        shownMs = nowMs
        await showLife(context, id)
      },
    }),
  )
  return { ...result, bytes }
}

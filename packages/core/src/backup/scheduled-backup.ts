import { glob, mkdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Pool } from "pg"
import type { Context } from "../context/context.ts"
import type { Secrets } from "../crypto/token-cipher.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { fileTrouble, UNFINISHED } from "./backup-file.ts"
import { claimDueBackup, endBackup, forgetBackup } from "./backup-log.ts"
import { writeFile } from "./logged-backup.ts"

/** Where and how often backups are made. */
export interface BackupSchedule {
  readonly directory: string
  /** Complete backups that stay in the folder. */
  readonly keep: number
  readonly everyHours: number
  readonly hasSecret: boolean
}

export interface ScheduledBackupContext extends Pick<Context, "database" | "clock" | "logger" | "version"> {
  readonly pool: Pool
  readonly secrets: () => Secrets
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

const NAME = /^restwell-\d{8}T\d{6}Z\.backup$/
/** A file that no process has written to for this long was left by a killed one. */
const ABANDONED_MS = 60 * 60_000

/** Makes a backup if one is due and no other process makes it. A failure is logged, for the operator to see, and tried again later. */
export async function runDueBackup(context: ScheduledBackupContext, schedule: BackupSchedule): Promise<void> {
  const { logger, signal } = context
  const file = join(schedule.directory, backupName(context.clock.now()))
  const id = await claimDueBackup(context, { ...schedule, file })
  if (id === undefined) return
  try {
    const bytes = await write(context, { id, file, schedule })
    await endBackup(context, id, { bytes })
    logger.info({ file, bytes }, "backup made")
  } catch (error) {
    if (signal.aborted) return await forgetBackup(context, id)
    logger.error({ err: error, file }, "backup failed")
    return await endBackup(context, id, { error: describe(error) })
  }
  await prune(schedule, context.clock.now()).catch((error: unknown) =>
    logger.error({ err: error }, "could not delete old backups"),
  )
}

/** The name of a backup that was made at that time. Names sort by time. */
export const backupName = (now: Date): string => `restwell-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.backup`

async function write(
  context: ScheduledBackupContext,
  { id, file, schedule }: { id: string; file: string; schedule: BackupSchedule },
): Promise<number> {
  const { secrets, version: program, clock, signal } = context
  await mkdir(schedule.directory, { recursive: true, mode: 0o700 })
  const { hasSecret } = schedule
  const written = await writeFile(context, id, {
    file,
    program,
    signal,
    hasSecret,
    secrets: secrets(),
    now: clock.now(),
  })
  return written.bytes
}

/** One sentence without a value of a row. */
function describe(error: unknown): string {
  const trouble = fileTrouble(error)
  if (trouble !== undefined) return `BACKUP_DIR cannot be used: ${trouble}`
  const code = error instanceof Error && "code" in error ? String(error.code) : "unexpected"
  return databaseTrouble(error) ?? `the backup could not be written (${code}): see the log`
}

/** Deletes all but the newest backups, and what killed processes left. Other files are not touched. */
async function prune({ directory, keep }: BackupSchedule, now: Date): Promise<void> {
  const complete: string[] = []
  for await (const name of glob("restwell-*.backup*", { cwd: directory })) {
    if (NAME.test(name)) complete.push(name)
    else if (UNFINISHED.test(name) && (await isAbandoned(join(directory, name), now)))
      await rm(join(directory, name), { force: true })
  }
  for (const name of complete.toSorted().toReversed().slice(keep)) await rm(join(directory, name), { force: true })
}

const isAbandoned = (path: string, now: Date): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => now.getTime() - mtimeMs > ABANDONED_MS,
    () => false,
  )

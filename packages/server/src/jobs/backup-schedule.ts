import { type BackupSchedule, othersCan, runDueBackup, type ScheduledBackupContext } from "@restwell/core"
import { throttle } from "../process/throttle.ts"
import { repeat, type Wait } from "../process/wait.ts"

/** The owner may want one now. Most looks find that nothing is due, by one statement on a small table. */
const LOOK_MS = 2_000

export interface BackupScheduleOptions extends Omit<ScheduledBackupContext, "signal"> {
  /** Undefined while no folder is set. */
  readonly schedule: () => BackupSchedule | undefined
  readonly wait: Wait
}

/** Makes the scheduled backups that no other process makes. @returns a function that interrupts and ends it */
export function startBackups({ schedule, wait, ...context }: BackupScheduleOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const fail = throttle((failures, err: unknown) =>
    context.logger.error({ err, failures }, "could not look for a backup that is due"),
  )
  let warnedOf: string | undefined
  const warn = async (directory: string) => {
    if (warnedOf === directory) return
    warnedOf = directory
    const others = await othersCan(directory)
    if (others !== undefined)
      context.logger.warn(
        { directory },
        `other users of this machine can ${others} the files of BACKUP_DIR: chmod 700 it, so that only the user of Restwell can`,
      )
  }
  const run = async () => {
    const current = schedule()
    if (current === undefined) return
    await warn(current.directory)
      .then(() => runDueBackup({ ...context, signal }, current))
      .catch((error: unknown) => {
        if (!signal.aborted) fail(error)
      })
  }
  const ended = run().then(() => repeat(run, { everyMs: LOOK_MS, wait, signal }))
  return async () => {
    stopping.abort()
    await ended
  }
}

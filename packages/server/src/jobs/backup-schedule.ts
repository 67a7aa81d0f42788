import { type BackupSchedule, runDueBackup, type ScheduledBackupContext } from "@restwell/core"
import { repeat } from "../time/repeat.ts"
import type { Wait } from "../time/wait.ts"

/** Most looks find that nothing is due. */
const LOOK_MS = 60_000

export interface BackupScheduleOptions extends Omit<ScheduledBackupContext, "signal"> {
  readonly schedule: BackupSchedule
  readonly wait: Wait
}

/** Makes the scheduled backups that no other process makes. @returns a function that interrupts and ends it */
export function startBackups({ schedule, wait, ...context }: BackupScheduleOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = () =>
    runDueBackup({ ...context, signal }, schedule).catch((error: unknown) => {
      if (!signal.aborted) context.logger.error({ err: error }, "could not look for a backup that is due")
    })
  const ended = run().then(() => repeat(run, { everyMs: LOOK_MS, wait, signal }))
  return async () => {
    stopping.abort()
    await ended
  }
}

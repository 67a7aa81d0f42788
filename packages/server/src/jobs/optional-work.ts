// Work that a process can do with some settings alone, such as the scheduled backups.
import {
  type BackupSchedule,
  type ClaimedJob,
  type Clock,
  type Context,
  type DueTime,
  othersCan,
  runBackup,
  type ScheduledBackupContext,
  scheduleBackups,
} from "@restwell/core"
import { watchClock } from "./periodic-jobs.ts"

/** Jobs that this process can do with some settings alone, one at a time. */
export interface OptionalWork {
  isPossible(): boolean
  /** Called with each look: adds the jobs that only this process knows to be due. */
  addDue?(context: Context): Promise<void>
  /** @returns when to run it again, undefined when it is done */
  run(context: Context, job: ClaimedJob, signal: AbortSignal): Promise<DueTime | undefined>
}

interface BackupWorkOptions extends Pick<ScheduledBackupContext, "pool" | "dataDir" | "secrets"> {
  readonly clock: Clock
  /** Undefined while no folder is set. */
  readonly schedule: () => BackupSchedule | undefined
}

/** Makes the scheduled backups, each in one process. */
export function createBackupWork({ schedule, clock, ...options }: BackupWorkOptions): OptionalWork {
  const isClockBack = watchClock(clock)
  let scheduled: string | undefined
  let warnedOf: string | undefined
  const warn = async ({ logger }: Context, directory: string) => {
    if (warnedOf === directory) return
    warnedOf = directory
    const others = await othersCan(directory)
    if (others !== undefined)
      logger.warn(
        { directory },
        `other users of this machine can ${others} the files of BACKUP_DIR: chmod 700 it, so that only the user of Restwell can`,
      )
  }
  return {
    isPossible: () => schedule() !== undefined,
    async addDue(context) {
      const current = schedule()
      const key = JSON.stringify(current)
      if (!isClockBack() && key === scheduled) return
      scheduled = undefined
      if (current !== undefined) {
        await warn(context, current.directory)
        await scheduleBackups(context, current)
      }
      scheduled = key
    },
    async run(context, job, signal) {
      const current = schedule()
      // It is taken again once there is a folder.
      if (current === undefined) return "at_once"
      return runBackup({ ...context, ...options, signal }, job, current)
    },
  }
}

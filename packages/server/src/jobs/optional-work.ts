// Work that a process can do with some settings or parts alone: scheduled backups, subscriptions to webhooks, and what people are told.

import { MINUTE_MS } from "@restwell/client/time-units"
import {
  type BackupSchedule,
  type CallbackUrlOf,
  type ClaimedJob,
  type Clock,
  type Context,
  type DueTime,
  type JobPlace,
  keepSubscribed,
  othersCan,
  runBackup,
  runNotifyJob,
  type ScheduledBackupContext,
  type Statistics,
  scheduleBackups,
  scheduleSubscription,
} from "@restwell/core"
import type { Wait } from "../process/wait.ts"
import { watchClock } from "./periodic-jobs.ts"

/** Jobs that this process can do with some settings alone. */
export interface OptionalWork {
  /** One at a time for each, as `JobWork` has them. Empty while the settings are missing. */
  places(context: Context): readonly JobPlace[]
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
  const places: readonly JobPlace[] = [{ kind: "backup", minPriority: 0 }]
  return {
    places: () => (schedule() === undefined ? [] : places),
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

interface SubscriptionWorkOptions {
  readonly clock: Clock
  readonly callbackUrlOf: CallbackUrlOf
  /** Waits on the service's clock. */
  readonly wait: Wait
}

/** After an unexpected error. */
const RETRY_MS = 15 * MINUTE_MS

/** Keeps the apps subscribed to the webhooks of vendors that require it, each in one process. */
export function createSubscriptionWork({ clock, callbackUrlOf, wait }: SubscriptionWorkOptions): OptionalWork {
  const isClockBack = watchClock(clock)
  const all = new Map<string, JobPlace>()
  const scheduled = new Map<string, string>()
  /** Where vendors that require a subscription send their webhooks. */
  const callbacks = ({ adapters }: Context) =>
    [...adapters].flatMap(([provider, { webhookSubscriber }]) => {
      const callbackUrl = webhookSubscriber && callbackUrlOf(provider)
      return callbackUrl === undefined ? [] : [{ provider, callbackUrl }]
    })
  return {
    places: (context) =>
      callbacks(context).map(({ provider: key }) => {
        const place = all.get(key) ?? { kind: "subscription", minPriority: 0, key }
        all.set(key, place)
        return place
      }),
    async addDue(context) {
      if (isClockBack()) scheduled.clear()
      for (const { provider, callbackUrl } of callbacks(context)) {
        if (scheduled.get(provider) === callbackUrl) continue
        await scheduleSubscription(context, provider)
        scheduled.set(provider, callbackUrl)
      }
    },
    async run(context, { key: provider }, signal) {
      const callbackUrl = callbackUrlOf(provider)
      if (callbackUrl === undefined) return "at_once"
      const untilThen = (milliseconds: number) => wait(milliseconds, signal)
      try {
        return await keepSubscribed(context, provider, { callbackUrl, wait: untilThen })
      } catch (error) {
        if (signal.aborted) return "at_once"
        context.logger.error({ err: error, provider }, "could not look after the subscriptions to webhooks")
        return new Date(clock.now().getTime() + RETRY_MS)
      }
    },
  }
}

/** Tells people what there is to tell. @param statistics computes it beside what answers requests */
export function createNotifyWork(statistics: Statistics): OptionalWork {
  const places: readonly JobPlace[] = [{ kind: "notify", minPriority: 0 }]
  return {
    places: () => places,
    run: ({ database, clock, plans, logger }, job) => runNotifyJob({ database, clock, plans, logger, statistics }, job),
  }
}

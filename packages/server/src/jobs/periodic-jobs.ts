import {
  type BackupSchedule,
  type CallbackUrlOf,
  type Context,
  healSchedules,
  isDiskLow,
  keepSubscribed,
  othersCan,
  recoverUnreadableGrants,
  requestDueSyncs,
  retryRejected,
  runDueBackup,
  type ScheduledBackupContext,
  sweepBrokenUploads,
  sweepSeenEvents,
} from "@restwell/core"
import { type RepeatOptions, repeat, throttle, type Wait } from "../process/wait.ts"
import type { DatabaseBackoff } from "./sync-job.ts"

/** A part of the silence after which an upload has broken off. */
const SWEEP_UPLOADS_MS = 15_000
const SWEEP_MS = 3_600_000
/** Most looks find that nothing is due. */
const KEEP_SUBSCRIBED_MS = 5 * 60_000
const RETRY_REJECTED_MS = 15 * 60_000
/** A clock that goes back by less delays a due sync by no more than this. */
const CLOCK_STEP_MS = 60_000

interface PeriodicJobsOptions {
  readonly context: Context
  readonly callbackUrlOf: CallbackUrlOf
  /** Waits on the service's clock. */
  readonly wait: Wait
  /** Ends the repetition. */
  readonly signal: AbortSignal
}

/** Runs what recurs once, then again and again. */
export async function startPeriodicJobs(options: PeriodicJobsOptions): Promise<void> {
  const { context, wait, signal } = options
  startSubscribing(options)
  for (const [run, everyMs, failure] of [
    [() => sweepBrokenUploads(context), SWEEP_UPLOADS_MS, "could not delete uploads that broke off"],
    [() => sweepSeenEvents(context), SWEEP_MS, "could not delete old event ids"],
    [() => recoverUnreadableGrants(context), SWEEP_MS, "could not look for tokens that can be decrypted again"],
    [() => retryRejected(context), RETRY_REJECTED_MS, "could not retry rejected records"],
  ] as const) {
    const task = () => run().catch((error: unknown) => context.logger.error({ err: error }, failure))
    await task()
    repeat(task, { everyMs, wait, signal }).catch((error: unknown) => context.logger.error({ err: error }, failure))
  }
}

/** A vendor that does not answer must not delay the start. */
function startSubscribing({ context, callbackUrlOf, wait, signal }: PeriodicJobsOptions): void {
  const task = () =>
    keepSubscribed(context, callbackUrlOf, (milliseconds) => wait(milliseconds, signal)).catch((error: unknown) => {
      if (!signal.aborted) context.logger.error({ err: error }, "could not look after the subscriptions to webhooks")
    })
  void task().then(() => repeat(task, { everyMs: KEEP_SUBSCRIBED_MS, wait, signal }))
}

/** Requests the syncs that are due. Corrects schedules first if the clock has gone back, or may have before the start. */
export function dueSyncRequester(
  context: Context,
  backoff: DatabaseBackoff,
): () => Promise<Date | "paused" | undefined> {
  let lastMs = Number.POSITIVE_INFINITY
  return async () => {
    if (backoff.isActive || (await isDiskLow(context.disk))) return "paused"
    const nowMs = context.clock.now().getTime()
    if (nowMs < lastMs - CLOCK_STEP_MS) await healSchedules(context)
    lastMs = nowMs
    return requestDueSyncs(context)
  }
}

interface BackupScheduleOptions extends Omit<ScheduledBackupContext, "signal"> {
  /** Undefined while no folder is set. */
  readonly schedule: () => BackupSchedule | undefined
  /** When to look: the owner may want one now. */
  readonly looks: Pick<RepeatOptions, "everyMs" | "wait">
}

/** Makes the scheduled backups that no other process makes. @returns a function that interrupts and ends it */
export function startBackups({ schedule, looks, ...context }: BackupScheduleOptions): () => Promise<void> {
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
  const ended = run().then(() => repeat(run, { ...looks, signal }))
  return async () => {
    stopping.abort()
    await ended
  }
}

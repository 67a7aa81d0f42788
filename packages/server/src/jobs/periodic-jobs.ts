import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import {
  type Clock,
  type Context,
  healSchedules,
  isDiskLow,
  recoverUnreadableGrants,
  requestDueSyncs,
  retryRejected,
  sweepBrokenUploads,
  sweepDeliveries,
  sweepSeenEvents,
} from "@restwell/core"
import { repeat, type Wait } from "../process/wait.ts"
import type { DatabaseBackoff } from "./sync-job.ts"

/** A part of the silence after which an upload has broken off. */
const SWEEP_UPLOADS_MS = 15_000
const SWEEP_MS = HOUR_MS
const RETRY_REJECTED_MS = 15 * MINUTE_MS
/** A clock that goes back by less delays a due sync by no more than this. */
const CLOCK_STEP_MS = MINUTE_MS

interface PeriodicJobsOptions {
  readonly context: Context
  /** Waits on the service's clock. */
  readonly wait: Wait
  /** Ends the repetition. */
  readonly signal: AbortSignal
}

/** Runs what recurs once, then again and again. */
export async function startPeriodicJobs({ context, wait, signal }: PeriodicJobsOptions): Promise<void> {
  for (const [run, everyMs, failure] of [
    [() => sweepBrokenUploads(context), SWEEP_UPLOADS_MS, "could not delete uploads that broke off"],
    [() => sweepSeenEvents(context), SWEEP_MS, "could not delete old event ids"],
    [() => recoverUnreadableGrants(context), SWEEP_MS, "could not look for tokens that can be decrypted again"],
    [() => sweepDeliveries(context), SWEEP_MS, "could not delete old deliveries"],
    [() => retryRejected(context), RETRY_REJECTED_MS, "could not retry rejected records"],
  ] as const) {
    const task = () => run().catch((error: unknown) => context.logger.error({ err: error }, failure))
    await task()
    repeat(task, { everyMs, wait, signal }).catch((error: unknown) => context.logger.error({ err: error }, failure))
  }
}

/** Returns whether the clock has gone back since the last call, or may have before the first one. */
export function watchClock(clock: Clock): () => boolean {
  let lastMs = Number.POSITIVE_INFINITY
  return () => {
    const nowMs = clock.now().getTime()
    const isBack = nowMs < lastMs - CLOCK_STEP_MS
    lastMs = nowMs
    return isBack
  }
}

/** Requests the syncs that are due, with corrected schedules after the clock has gone back. */
export function dueSyncRequester(
  context: Context,
  backoff: DatabaseBackoff,
): () => Promise<Date | "paused" | undefined> {
  const isClockBack = watchClock(context.clock)
  return async () => {
    if (backoff.isActive || (await isDiskLow(context.disk))) return "paused"
    if (isClockBack()) await healSchedules(context)
    return requestDueSyncs(context)
  }
}

import { MINUTE_MS } from "@restwell/client/time-units"
import {
  type ClaimedJob,
  type Context,
  connectionOf,
  isDatabaseAway,
  isDiskLow,
  type SyncFailure,
  syncConnection,
} from "@restwell/core"
import { Counter, Histogram, type Registry } from "prom-client"

/** A poll takes a second, a person's first history takes minutes at the vendor's pace. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

const REASONS = ["vendor", "authorization", "unexpected", "database"] as const satisfies readonly (
  | SyncFailure
  | "unexpected"
  | "database"
)[]

type FailureReason = (typeof REASONS)[number]

/** Called with each sync that has ended. @param failure undefined for a sync that did everything due, as far as the call budget allows */
export type SyncMeter = (failure: FailureReason | undefined, seconds: number) => void

/** Counts and times syncs. No label names a person. */
export function createSyncMeter(registry: Registry): SyncMeter {
  const duration = new Histogram({
    name: "restwell_sync_duration_seconds",
    help: "Duration of one connection's sync, by outcome",
    labelNames: ["outcome"],
    buckets: SECONDS,
    registers: [registry],
  })
  const failures = new Counter({
    name: "restwell_sync_failures_total",
    help: "Syncs of one connection that failed, by reason",
    labelNames: ["reason"],
    registers: [registry],
  })
  // A series that starts at its first failure has no increase to alert on.
  for (const reason of REASONS) failures.inc({ reason }, 0)
  return (failure, seconds) => {
    duration.observe({ outcome: failure === undefined ? "done" : "failed" }, seconds)
    if (failure !== undefined) failures.inc({ reason: failure })
  }
}

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * MINUTE_MS

/** Pauses the jobs of this process while the database fails, so that vendors' calls are not spent on data that cannot be stored. */
export interface DatabaseBackoff {
  readonly isActive: boolean
  /** The database failed: pauses twice as long as the last time. Failures of simultaneous jobs count as one. */
  extend(): void
  /** The database works again. */
  reset(): void
}

/** @param nowMs the machine's time, which no set clock changes */
export function createDatabaseBackoff(nowMs: () => number = () => performance.now()): DatabaseBackoff {
  let pauseMs = 0
  let untilMs = 0
  return {
    get isActive() {
      return nowMs() < untilMs
    },
    extend() {
      if (nowMs() < untilMs) return
      pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
      untilMs = nowMs() + pauseMs
    },
    reset() {
      pauseMs = 0
    },
  }
}

export interface SyncJobContext {
  readonly context: Context
  readonly meter: SyncMeter
  readonly backoff: DatabaseBackoff
}

export interface SyncJobOptions {
  /** Aborts when the process stops, or when another one has the job. */
  readonly signal: AbortSignal
  readonly withHistory: boolean
}

/** Syncs the connection of one job. A failure is logged and counted, and the next due sync is the retry. */
export async function runSyncJob(
  { context, meter, backoff }: SyncJobContext,
  job: ClaimedJob,
  { signal, withHistory }: SyncJobOptions,
): Promise<void> {
  const { logger } = context
  const connection = connectionOf(job)
  // The connection stays due.
  if (backoff.isActive || (await isDiskLow(context.disk))) return
  logger.debug(connection, "sync began")
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  try {
    meter(await syncConnection(context, connection, { signal, withHistory }), seconds())
    backoff.reset()
  } catch (error) {
    // The connection stays due, and another process syncs it.
    if (signal.aborted) return logger.info(connection, "sync handed back")
    const isAway = isDatabaseAway(error)
    meter(isAway ? "database" : "unexpected", seconds())
    if (isAway) backoff.extend()
    logger.error({ ...connection, job: job.claim, err: error }, "sync failed")
  } finally {
    logger.debug(connection, "sync ended")
  }
}

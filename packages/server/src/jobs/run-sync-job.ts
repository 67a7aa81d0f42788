import { type Context, isDatabaseAway, syncConnection } from "@restwell/core"
import { z } from "zod"
import type { DatabaseBackoff } from "./database-backoff.ts"
import type { SyncMeter } from "./sync-meter.ts"

const ConnectionIdSchema = z.object({ userId: z.string(), provider: z.string() })

export interface SyncJobContext {
  readonly context: Context
  readonly meter: SyncMeter
  readonly backoff: DatabaseBackoff
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal
}

export interface SyncJobOptions {
  /** The job's id, for the log. */
  readonly id: string
  /** Aborts when the job has taken too long. */
  readonly ended: AbortSignal
  readonly withHistory: boolean
}

/**
 * Syncs the connection of one job. A failure is logged and counted, and the next due sync is the retry. It is not thrown: the queue would
 * store the error with all that the database added to it, such as the refused row.
 */
export async function runSyncJob(
  { context, meter, backoff, stopping }: SyncJobContext,
  payload: unknown,
  { id: job, ended, withHistory }: SyncJobOptions,
): Promise<void> {
  const { logger } = context
  const connection = ConnectionIdSchema.parse(payload)
  // The connection stays due.
  if (backoff.isActive) return
  logger.debug(connection, "sync began")
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  try {
    const signal = AbortSignal.any([ended, stopping])
    meter(await syncConnection(context, connection, { signal, withHistory }), seconds())
    backoff.reset()
  } catch (error) {
    // The connection stays due, and another process syncs it.
    if (stopping.aborted) return logger.info(connection, "sync handed back")
    const isAway = isDatabaseAway(error)
    meter(isAway ? "database" : "unexpected", seconds())
    if (isAway) backoff.extend()
    logger.error({ ...connection, job, err: error }, "sync failed")
  } finally {
    logger.debug(connection, "sync ended")
  }
}

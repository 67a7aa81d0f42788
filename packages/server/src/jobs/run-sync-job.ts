import { type Context, databaseTrouble, syncConnection } from "@restwell/core"
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
  /** Aborts when the job has taken too long. */
  readonly ended: AbortSignal
  readonly withHistory: boolean
}

/** Syncs the connection of one job. A failure is logged and stays with the job: the next due sync is the retry. */
export async function runSyncJob(
  { context, meter, backoff, stopping }: SyncJobContext,
  payload: unknown,
  { ended, withHistory }: SyncJobOptions,
): Promise<void> {
  const { logger } = context
  const connection = ConnectionIdSchema.parse(payload)
  // The connection stays due.
  if (backoff.isActive) return
  logger.debug(connection, "sync began")
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  try {
    await syncConnection(context, connection, { signal: AbortSignal.any([ended, stopping]), withHistory })
    meter("done", seconds())
    backoff.reset()
  } catch (error) {
    // The connection stays due, and another process syncs it.
    if (stopping.aborted) return logger.info(connection, "sync handed back")
    meter("failed", seconds())
    if (databaseTrouble(error) !== undefined) backoff.extend()
    logger.error({ ...connection, err: error }, "sync failed")
    throw error
  } finally {
    logger.debug(connection, "sync ended")
  }
}

import { AuthorizationRevoked, ProviderError, RateLimited } from "@restwell/providers"
import { adapterOf } from "../connection/adapter-of.ts"
import { markUnreadable } from "../connection/unreadable-grants.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { UnreadableSecret } from "../crypto/token-cipher.ts"
import { isDatabaseAway } from "../store/database-trouble.ts"
import { nextStep, nextWakeUp } from "./next-step.ts"
import { runStep } from "./run-step.ts"
import { scheduleRetry, scheduleRetryOfBug, scheduleSync } from "./schedule-retry.ts"
import { readSyncState } from "./sync-state.ts"
import { waitForCalls } from "./wait-for-calls.ts"

export interface SyncOptions {
  /** Aborts between two steps. */
  readonly signal: AbortSignal
  /** False leaves the history to another worker. @default true */
  readonly withHistory?: boolean
}

/** Why a sync failed, apart from what it throws. A used-up call budget is no failure. */
export type SyncFailure = "vendor" | "authorization"

/**
 * Syncs one connection with its vendor, step by step, most urgent first. Each step is stored with its progress, so the next run continues
 * there. The history yields when others wait. When the vendor fails, a retry is scheduled and the failure returned. An unexpected error
 * sets the connection to `failing`, schedules a retry, and is thrown for the log.
 */
export async function syncConnection(
  context: Context,
  connection: ConnectionId,
  options: SyncOptions,
): Promise<SyncFailure | undefined> {
  try {
    return await runSteps(context, connection, options)
  } catch (error) {
    if (error instanceof UnreadableSecret) {
      context.logger.error({ ...connection, err: error }, "could not decrypt a vendor's tokens")
      return (await markUnreadable(context, connection)) ? "authorization" : undefined
    }
    // Without the database nothing can be stored, and the job queue pauses. A process that stops leaves the connection due.
    if (!isDatabaseAway(error) && !options.signal.aborted) await scheduleRetryOfBug(context, connection)
    throw error
  }
}

async function runSteps(
  context: Context,
  connection: ConnectionId,
  { signal, withHistory = true }: SyncOptions,
): Promise<SyncFailure | undefined> {
  const { syncPolicy: policy } = adapterOf(context, connection.provider)
  const resumeAt = async (at: Date): Promise<undefined> => void (await scheduleSync(context, connection, at))
  for (;;) {
    const state = await readSyncState(context, connection, policy)
    if (!state) return undefined
    const now = context.clock.now()
    const step = nextStep(policy, state, now)
    if (!step) return resumeAt(nextWakeUp(policy, state, now))
    if (signal.aborted || (step.type === "history" && !withHistory)) return resumeAt(now)
    try {
      await runStep(context, connection, state, step)
    } catch (error) {
      if (error instanceof RateLimited) {
        await waitForCalls(context, connection, { step, state, policy, error })
        return undefined
      }
      if (!(error instanceof ProviderError)) throw error
      await scheduleRetry(context, connection, error, step.purpose)
      return error instanceof AuthorizationRevoked ? "authorization" : "vendor"
    }
    if (step.type === "history" && (await context.jobs.isAnyoneWaiting())) return resumeAt(now)
  }
}

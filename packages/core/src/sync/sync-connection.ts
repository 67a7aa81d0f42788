import { ProviderError, RateLimited } from "@restwell/providers"
import { adapterOf } from "../connection/adapter-of.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { nextStep, nextWakeUp } from "./next-step.ts"
import { runStep } from "./run-step.ts"
import { postponeSync, scheduleRetry, scheduleSync } from "./schedule-retry.ts"
import { readSyncState } from "./sync-state.ts"
import { waitForCalls } from "./wait-for-calls.ts"

export interface SyncOptions {
  /** Aborts between two steps. */
  readonly signal: AbortSignal
  /** False leaves the history to another worker. @default true */
  readonly withHistory?: boolean
}

/**
 * Syncs one connection with its vendor, step by step, most urgent first. Each step is stored with its progress, so the next run continues
 * there. The history yields when others wait. When the vendor fails, a retry is scheduled.
 */
export async function syncConnection(context: Context, connection: ConnectionId, options: SyncOptions): Promise<void> {
  try {
    await runSteps(context, connection, options)
  } catch (error) {
    // Without the database nothing can be postponed. The job queue pauses then.
    if (databaseTrouble(error) === undefined) await postponeSync(context, connection)
    throw error
  }
}

async function runSteps(
  context: Context,
  connection: ConnectionId,
  { signal, withHistory = true }: SyncOptions,
): Promise<void> {
  const { syncPolicy: policy } = adapterOf(context, connection.provider)
  for (;;) {
    const state = await readSyncState(context, connection, policy)
    if (!state) return
    const now = context.clock.now()
    const step = nextStep(policy, state, now)
    if (!step) return scheduleSync(context, connection, nextWakeUp(policy, state, now))
    if (signal.aborted || (step.type === "history" && !withHistory)) return scheduleSync(context, connection, now)
    try {
      await runStep(context, connection, state, step)
    } catch (error) {
      if (error instanceof RateLimited) return waitForCalls(context, connection, { step, state, policy, error })
      if (error instanceof ProviderError) return scheduleRetry(context, connection, error, step.purpose)
      throw error
    }
    if (step.type === "history" && (await context.jobs.isAnyoneWaiting())) return scheduleSync(context, connection, now)
  }
}

import { ProviderError } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { nextStep, nextWakeUp } from "./next-step.ts"
import { runStep } from "./run-step.ts"
import { holdOff, scheduleSync, settleFailure } from "./schedule-sync.ts"
import { readSyncState } from "./sync-state.ts"

export interface SyncOptions {
  /** Asks to stop between two steps. */
  readonly signal: AbortSignal
  /** False leaves the years before to another run, for a worker that is kept for what is urgent. @default true */
  readonly withHistory?: boolean
}

/**
 * Brings one connection in step with its vendor: first what somebody waits for, then what the vendor told of, then what is due, then step
 * by step the history, each step kept with its cursor, so that the next run goes on where this one ended. The history makes room when
 * others wait. What the vendor cannot give now is tried again later; the person's answers say so meanwhile.
 */
export async function syncConnection(
  context: Context,
  connection: ConnectionId,
  { signal, withHistory = true }: SyncOptions,
): Promise<void> {
  for (;;) {
    const state = await readSyncState(context, connection)
    if (!state) return
    const now = context.clock.now()
    const step = nextStep(state, now)
    if (!step) return scheduleSync(context, connection, nextWakeUp(state, now))
    if (signal.aborted || (step.type === "history" && !withHistory)) return scheduleSync(context, connection, now)
    try {
      await runStep(context, connection, state, step)
    } catch (error) {
      if (error instanceof ProviderError) return settleFailure(context, connection, error, step.purpose)
      // Where it is the database, nothing can be kept of it: whoever runs the jobs lets them rest.
      if (databaseTrouble(error) === undefined) await holdOff(context, connection)
      throw error
    }
    if (step.type === "history" && (await context.jobs.isAnyoneWaiting())) return scheduleSync(context, connection, now)
  }
}

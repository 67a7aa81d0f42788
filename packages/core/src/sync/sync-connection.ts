import { AuthorizationRevoked, ProviderError, RateLimited } from "@restwell/providers"
import { UnreadableSecret } from "../base/encryption.ts"
import { applyEvent } from "../connect/connection-status.ts"
import { vendorFailureText } from "../connect/failure-texts.ts"
import { markUnreadable } from "../connect/grants.ts"
import { adapterOf } from "../connect/vendor-app.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { personTransaction } from "../store/database.ts"
import { isDatabaseAway } from "../store/database-trouble.ts"
import { nextStep, nextWakeUp } from "./next-step.ts"
import { runStep } from "./run-step.ts"
import { scheduleRetry, scheduleRetryOfBug, scheduleSync, waitForCalls } from "./sync-schedule.ts"
import { readSyncState, type SyncState } from "./sync-state.ts"

interface SyncOptions {
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
  const adapter = adapterOf(context, connection.provider)
  const { syncPolicy: policy } = adapter
  const resumeAt = async (at: Date): Promise<undefined> => void (await scheduleSync(context, connection, at))
  let skipsProfile = false
  for (;;) {
    const stored = await readSyncState(context, connection, adapter)
    if (!stored) return undefined
    const state = { ...stored, skipsProfile }
    const now = context.clock.now()
    const step = nextStep(policy, state, now)
    if (!step) return resumeAt(nextWakeUp(policy, state, now))
    if (signal.aborted || (step.purpose === "history" && !withHistory)) return resumeAt(now)
    try {
      await runStep(context, connection, state, step)
    } catch (error) {
      if (error instanceof RateLimited) {
        await waitForCalls(context, connection, { step, state, policy, error })
        return undefined
      }
      if (!(error instanceof ProviderError)) throw error
      // The records do not need the profile. The next run reads it.
      if (step.type === "profile" && !(error instanceof AuthorizationRevoked)) {
        await noteMissingProfile(context, connection, { state, error })
        skipsProfile = true
        continue
      }
      await scheduleRetry(context, connection, error, step.purpose)
      return error instanceof AuthorizationRevoked ? "authorization" : "vendor"
    }
    if (step.purpose === "history" && (await context.jobs.isAnyoneWaiting())) return resumeAt(now)
  }
}

/** Before the first sync the person sees nothing else than why it takes long. */
async function noteMissingProfile(
  context: Context,
  connection: ConnectionId,
  { state, error }: { readonly state: SyncState; readonly error: ProviderError },
): Promise<void> {
  const fields = { ...connection, error: error.name, reason: error.message }
  context.logger.warn(fields, "could not read the profile, the sync goes on without it")
  if (state.lastSyncedAt !== null) return
  await personTransaction(context.database, connection.userId, (transaction) =>
    applyEvent(transaction, context, connection, {
      type: "vendor_failed",
      reason: vendorFailureText(connection.provider, error),
    }),
  )
}

import { AuthorizationRevoked, type CallPurpose, type ProviderError, VendorUnavailable } from "@restwell/providers"
import { applyEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"

const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 30 * 60_000
/** Pause after an internal error, so that the vendor is not called again and again. */
const INTERNAL_ERROR_PAUSE_MS = 60_000

/** Schedules the next look at a connection. An event leads to an earlier one. */
export const scheduleSync = ({ database }: Context, connection: ConnectionId, at: Date): Promise<void> =>
  setTimes(database, connection, { next_sync_at: at })

/** @param times `retry_after` makes events wait as well */
async function setTimes(
  database: Context["database"],
  { userId, provider }: ConnectionId,
  times: { readonly next_sync_at: Date; readonly retry_after?: Date },
): Promise<void> {
  await database
    .updateTable("connection")
    .set(times)
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}

/** Pauses a connection after an internal error. If that fails too, the connection stays due. */
export async function postponeSync(context: Context, connection: ConnectionId): Promise<void> {
  const at = later(context, INTERNAL_ERROR_PAUSE_MS)
  await setTimes(context.database, connection, { next_sync_at: at, retry_after: at }).catch((error: unknown) =>
    context.logger.warn({ ...connection, err: error }, "could not postpone the sync"),
  )
}

/**
 * Schedules the retry of a failed step. A revoked grant waits for the person. After other errors the pauses double from one minute to
 * half an hour.
 */
export async function scheduleRetry(
  context: Context,
  connection: ConnectionId,
  error: ProviderError,
  purpose: CallPurpose,
): Promise<void> {
  const fields = { ...connection, error: error.name, reason: error.message, purpose }
  context.logger.warn(fields, "sync did not finish")
  if (error instanceof AuthorizationRevoked) return
  await context.database.transaction().execute(async (transaction) => {
    const failed = await transaction
      .updateTable("connection")
      .set((row) => ({ failures: row("failures", "+", 1) }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("failures")
      .executeTakeFirst()
    if (!failed) return
    await applyEvent(transaction, context, connection, { type: "vendor_failed", reason: error.message })
    const backOffMs = Math.min(FIRST_RETRY_MS * 2 ** (failed.failures - 1), LONGEST_RETRY_MS)
    const at = later(context, Math.max(backOffMs, requestedWaitMs(error)))
    await setTimes(transaction, connection, { next_sync_at: at, retry_after: at })
  })
}

/** Returns the wait that the vendor requested, 0 without one. */
const requestedWaitMs = (error: ProviderError): number =>
  error instanceof VendorUnavailable && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : 0

const later = ({ clock }: Context, milliseconds: number): Date => new Date(clock.now().getTime() + milliseconds)

import { AuthorizationRevoked, type CallPurpose, type ProviderError, VendorUnavailable } from "@restwell/providers"
import { applyEvent, type ConnectionEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { personTransaction } from "../store/person-transaction.ts"

const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 30 * 60_000

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

/**
 * Sets a connection to `failing` after an unexpected error, and schedules the retry. If that fails too, the connection stays due. The
 * reason contains nothing of the error, which may name rows and figures.
 */
export const scheduleRetryOfBug = (context: Context, connection: ConnectionId): Promise<void> =>
  backOff(context, connection, {
    eventAt: (at) => ({
      type: "sync_failed",
      reason: `an unexpected error stopped the sync, it is tried again at ${minuteText(at)}`,
    }),
  }).catch((error: unknown) =>
    context.logger.error({ ...connection, err: error }, "could not store that a sync failed"),
  )

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
  await backOff(context, connection, {
    eventAt: () => ({ type: "vendor_failed", reason: error.message }),
    shortestMs: requestedWaitMs(error),
  })
}

/** Counts a failure, applies its event, and schedules the retry: the pauses double from one minute to half an hour. */
async function backOff(
  context: Context,
  connection: ConnectionId,
  { eventAt, shortestMs = 0 }: { readonly eventAt: (retryAt: Date) => ConnectionEvent; readonly shortestMs?: number },
): Promise<void> {
  await personTransaction(context.database, connection.userId, async (transaction) => {
    const failed = await transaction
      .updateTable("connection")
      .set((row) => ({ failures: row("failures", "+", 1) }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("failures")
      .executeTakeFirst()
    if (!failed) return
    const backOffMs = Math.min(FIRST_RETRY_MS * 2 ** (failed.failures - 1), LONGEST_RETRY_MS)
    const at = later(context, Math.max(backOffMs, shortestMs))
    await applyEvent(transaction, context, connection, eventAt(at))
    await setTimes(transaction, connection, { next_sync_at: at, retry_after: at })
  })
}

/** Returns the wait that the vendor requested, 0 without one. */
const requestedWaitMs = (error: ProviderError): number =>
  error instanceof VendorUnavailable && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : 0

/** `2026-11-20 12:01 UTC`, not before the instant. */
const minuteText = (at: Date): string =>
  `${new Date(Math.ceil(at.getTime() / 60_000) * 60_000).toISOString().slice(0, 16).replace("T", " ")} UTC`

const later = ({ clock }: Context, milliseconds: number): Date => new Date(clock.now().getTime() + milliseconds)

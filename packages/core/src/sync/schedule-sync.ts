import type { CallPurpose } from "@restwell/providers"
import { AuthorizationRevoked, type ProviderError, RateLimited, VendorUnavailable } from "@restwell/providers"
import { applyEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"

const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 30 * 60_000
/** A vendor may say that its window ends in no time. */
const SHORTEST_WAIT_SECONDS = 1

/** Something of our own was in the way: a pause, so that the vendor is not asked again and again for what cannot be kept. */
const OWN_FAILURE_PAUSE_MS = 60_000

/** Has the connection looked at again at a time, unless the vendor tells of something before. */
export const scheduleSync = ({ database }: Context, connection: ConnectionId, at: Date): Promise<void> =>
  setTimes(database, connection, { next_sync_at: at })

/** `retry_after` keeps events waiting as well. */
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

/** Pauses a connection after a failure that is not the vendor's. Where not even that can be kept, the next look finds it due. */
export async function holdOff(context: Context, connection: ConnectionId): Promise<void> {
  const at = new Date(context.clock.now().getTime() + OWN_FAILURE_PAUSE_MS)
  await setTimes(context.database, connection, { next_sync_at: at, retry_after: at }).catch((error: unknown) =>
    context.logger.warn({ ...connection, err: error }, "a sync could not be put off"),
  )
}

/**
 * What becomes of a step that the vendor did not let through. A spent budget is no fault of anyone: the work waits. A revoked grant is settled
 * already. Anything else is the vendor's, and is tried again after longer and longer pauses.
 */
export async function settleFailure(
  context: Context,
  connection: ConnectionId,
  error: ProviderError,
  purpose: CallPurpose,
): Promise<void> {
  const fields = { ...connection, error: error.name, reason: error.message, purpose }
  if (error instanceof RateLimited) {
    context.logger.info(fields, "sync waits for the vendor's limits")
    return waitForBudget(context, connection, error.retryAfterSeconds, purpose)
  }
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
    const askedForMs = error instanceof VendorUnavailable ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    const at = new Date(context.clock.now().getTime() + Math.max(backOffMs, askedForMs))
    await setTimes(transaction, connection, { next_sync_at: at, retry_after: at })
  })
}

/** Events may go on while the share of what is less urgent is spent; they are held when nothing is left for them either. */
async function waitForBudget(
  context: Context,
  connection: ConnectionId,
  waitSeconds: number,
  purpose: CallPurpose,
): Promise<void> {
  const at = new Date(context.clock.now().getTime() + Math.max(waitSeconds, SHORTEST_WAIT_SECONDS) * 1000)
  const isForEvents = purpose === "event" || purpose === "person"
  await setTimes(context.database, connection, { next_sync_at: at, ...(isForEvents && { retry_after: at }) })
}

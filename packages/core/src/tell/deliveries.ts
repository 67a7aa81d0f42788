// Deliveries as a person sees them: what was sent, what became of it, and another try.
import { DAY_MS } from "@restwell/client/time-units"
import { type Selectable, sql } from "kysely"
import type { Context } from "../context/context.ts"
import { Conflict, NotFound } from "../context/errors.ts"
import { requestDeliveries } from "../outbox/outbox.ts"
import { dataTransaction } from "../store/database.ts"
import type { DeliveryTable } from "../store/telling-tables.ts"
import { findWebhook, type WebhookId } from "./webhooks.ts"

const MOST_LISTED = 100

/** What is stored of a message for a receiver. */
export type StoredDelivery = Selectable<DeliveryTable>

/** The newest deliveries of a webhook, newest first. @throws {NotFound} */
export async function listDeliveries(
  context: Pick<Context, "database">,
  { userId, id: webhookId }: WebhookId,
): Promise<readonly StoredDelivery[]> {
  const { id } = await findWebhook(context, { userId, id: webhookId })
  return context.database
    .selectFrom("delivery")
    .selectAll()
    .where("user_id", "=", userId)
    .where("receiver_id", "=", id)
    .orderBy("number", "desc")
    .limit(MOST_LISTED)
    .execute()
}

/** Sends a message again, with the same id, by the same times. @throws {NotFound} @throws {Conflict} for a disabled webhook */
export async function redeliver(
  context: Pick<Context, "database" | "clock">,
  { userId, id: webhookId, deliveryId }: WebhookId & { readonly deliveryId: string },
): Promise<StoredDelivery> {
  const { id, disabled_at: disabledAt } = await findWebhook(context, { userId, id: webhookId })
  if (disabledAt) throw new Conflict("this webhook is disabled: send a test first, which enables it if it arrives")
  return dataTransaction(context.database, userId, async (transaction) => {
    const waiting = await transaction
      .updateTable("delivery")
      .set({ status: "waiting", attempts: 0, first_attempt_at: null, due_at: null })
      .where("user_id", "=", userId)
      .where("receiver_id", "=", id)
      .where(sql<string>`id::text`, "=", deliveryId)
      .returningAll()
      .executeTakeFirst()
    if (!waiting) throw new NotFound("this webhook has no delivery with this id")
    // The person wants it now, also where failures made the receiver wait.
    await transaction
      .updateTable("receiver")
      .set({ retry_at: null })
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .execute()
    await requestDeliveries(transaction, userId, [{ id }], "at_once")
    return waiting
  })
}

/** How long deliveries are listed that have ended. */
const KEPT_DAYS = 30
/** Rows per statement, so that none takes long. */
const BATCH = 10_000

/** Deletes deliveries that ended long ago. Skips rows that another process is deleting. */
export async function sweepDeliveries({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)
  for (let deleted = BATCH; deleted === BATCH; ) {
    const { numAffectedRows } = await sql`
      delete from restwell.delivery where (user_id, receiver_id, id) in (
        select user_id, receiver_id, id from restwell.delivery where status <> 'waiting' and created_at < ${before}
        order by created_at limit ${BATCH} for update skip locked)
    `.execute(database)
    deleted = Number(numAffectedRows)
  }
}

// Webhooks of a person: they are made, listed, tested, given another secret, and ended.
import { randomBytes, randomUUID } from "node:crypto"
import type { WebhookRequest } from "@restwell/client"
import { type Selectable, sql } from "kysely"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { Conflict, NotFound, ReceiverFailed } from "../context/errors.ts"
import { dataTransaction, personTransaction } from "../store/database.ts"
import type { DeliveryTable, ReceiverTable } from "../store/telling-tables.ts"
import { type DeliveryContext, MOST_ATTEMPTS } from "./deliver.ts"
import {
  FORMER_SECRET_MS,
  formerSecretsText,
  hostOf,
  openSecrets,
  receiverBelongsTo,
  requireRoom,
} from "./receivers.ts"
import { failureOf, sendTest, WEBHOOK_TEST } from "./send-test.ts"

type Store = Pick<Context, "database" | "clock" | "cipher">

/** Whose webhook it is. */
export interface WebhookId {
  readonly userId: string
  readonly id: string
}

/** The visitor's network, for the security log. */
interface Visitor {
  readonly network: string
}

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`

/** Makes a webhook. The secret is not stored readable. @throws {Conflict} when the person has as many as one may */
export async function createWebhook(
  context: Store,
  { userId, network }: Visitor & Pick<WebhookId, "userId">,
  { url, events, include_figures }: WebhookRequest,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { cipher, clock } = context
  return personTransaction(context.database, userId, async (transaction) => {
    await requireRoom(transaction, userId, { kind: "webhook", word: "webhooks" })
    const id = randomUUID()
    const secret = newSecret()
    const { keyId: key_id, bytes } = cipher.seal(secret, receiverBelongsTo(userId, id))
    const own = { user_id: userId, id, kind: "webhook", url, events: [...new Set(events)], include_figures } as const
    await transaction
      .insertInto("receiver")
      .values({ ...own, key_id, secret: bytes, created_at: clock.now() })
      .execute()
    const event = { type: "webhook_created", detail: hostOf(url), network } as const
    await recordSecurityEvent({ database: transaction, clock }, userId, event)
    return { id, secret }
  })
}

/** The person's webhooks, oldest first. */
export const listWebhooks = ({ database }: Pick<Context, "database">, userId: string) =>
  database
    .selectFrom("receiver")
    .select(["id", "url", "events", "include_figures", "created_at", "disabled_at", "disabled_reason"])
    .select(
      sql<number>`(select count(*)::integer from restwell.delivery d where d.user_id = receiver.user_id
        and d.receiver_id = receiver.id and d.status = 'failed' and d.attempts >= ${MOST_ATTEMPTS})`.as("given_up"),
    )
    .where("user_id", "=", userId)
    .where("kind", "=", "webhook")
    .orderBy("created_at")
    .orderBy("id")
    .execute()

const ownReceiver = (database: Context["database"], { userId, id }: WebhookId) =>
  database
    .selectFrom("receiver")
    .selectAll()
    .where("user_id", "=", userId)
    .where(sql<string>`id::text`, "=", id)
    .where("kind", "=", "webhook")

const noWebhook = (): NotFound => new NotFound("you have no webhook with this id")

/** Ends a webhook with all that waits for it. @throws {NotFound} */
export const endWebhook = ({ database, clock }: Store, { userId, id, network }: WebhookId & Visitor): Promise<void> =>
  dataTransaction(database, userId, async (transaction) => {
    const ended = await transaction
      .deleteFrom("receiver")
      .where("user_id", "=", userId)
      .where(sql<string>`id::text`, "=", id)
      .where("kind", "=", "webhook")
      .returning("url")
      .executeTakeFirst()
    if (!ended) throw noWebhook()
    const event = { type: "webhook_ended", detail: hostOf(ended.url), network } as const
    await recordSecurityEvent({ database: transaction, clock }, userId, event)
  })

/** Each of them is in the signature of every delivery. */
const MOST_SECRETS = 10

/**
 * Gives a webhook another secret. For a day deliveries are signed with the former one too, also where another rotation follows.
 * @throws {NotFound} @throws {Conflict} when too many secrets sign
 */
export async function rotateWebhookSecret(
  { database, clock, cipher }: Store,
  { userId, id, network }: WebhookId & Visitor,
): Promise<string> {
  return personTransaction(database, userId, async (transaction) => {
    const receiver = await ownReceiver(transaction, { userId, id }).forUpdate().executeTakeFirst()
    if (!receiver) throw noWebhook()
    const now = clock.now()
    const until = new Date(now.getTime() + FORMER_SECRET_MS)
    // What cannot be decrypted signs nothing: a new secret replaces it.
    const { current, former = [] } = openSecrets({ cipher }, receiver, now) ?? {}
    if (former.length + 1 >= MOST_SECRETS)
      throw new Conflict(
        `${MOST_SECRETS} secrets of this webhook sign already: wait until the oldest former one ends, a day after it was replaced`,
      )
    const formers = current === undefined ? [] : [{ secret: current, until }, ...former]
    const seal = (text: string) => cipher.seal(text, receiverBelongsTo(userId, receiver.id))
    const secret = newSecret()
    const [sealed, sealedFormer] = [seal(secret), formers.length > 0 ? seal(formerSecretsText(formers)) : undefined]
    await transaction
      .updateTable("receiver")
      .set({
        former_key_id: sealedFormer?.keyId ?? null,
        former_secret: sealedFormer?.bytes ?? null,
        former_until: sealedFormer ? until : null,
        key_id: sealed.keyId,
        secret: sealed.bytes,
      })
      .where("user_id", "=", userId)
      .where("id", "=", receiver.id)
      .execute()
    const event = { type: "webhook_secret_changed", detail: hostOf(receiver.url), network } as const
    await recordSecurityEvent({ database: transaction, clock }, userId, event)
    return secret
  })
}

/** @throws {NotFound} */
export async function findWebhook(
  { database }: Pick<Context, "database">,
  { userId, id }: WebhookId,
): Promise<Selectable<ReceiverTable>> {
  const found = await ownReceiver(database, { userId, id }).executeTakeFirst()
  if (!found) throw noWebhook()
  return found
}

/**
 * Sends a message now and once, and lists it among the deliveries. A webhook that takes it is enabled again.
 * @throws {NotFound} @throws {ReceiverFailed} with the answer in words
 */
export async function testWebhook(context: DeliveryContext, webhook: WebhookId): Promise<Selectable<DeliveryTable>> {
  const receiver = await findWebhook(context, webhook)
  const { result, delivery } = await sendTest(context, receiver, WEBHOOK_TEST)
  if (!delivery) throw noWebhook()
  if (result.outcome === "delivered") return delivery
  throw new ReceiverFailed(failureOf(receiver, result))
}

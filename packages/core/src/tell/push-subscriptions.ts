/* Browsers that show notifications, with the page open or not. Each is a receiver at the push service of the browser's maker. */
import { hash } from "node:crypto"
import type { PushSubscriptionRequest } from "@restwell/client"
import { sql, type Transaction } from "kysely"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { type Database, dataTransaction } from "../store/database.ts"
import { WORKING } from "../store/telling-tables.ts"
import { receiverBelongsTo, requireRoom } from "./receivers.ts"

/** A page makes the same of its own subscription, and so finds it in the list. */
const idOf = (endpoint: string): string =>
  hash("sha256", endpoint, "hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5")

interface Browser {
  readonly userId: string
  readonly sessionId: string
  /** The browser and its system, in words. */
  readonly name: string
  /** The visitor's network, for the security log. */
  readonly network: string
}

/**
 * Stores the subscription of a browser, or the newer keys of one that is stored. Returns its id.
 * @throws {Conflict} when the person has too many
 */
export async function savePushSubscription(
  { database, clock, cipher }: Pick<Context, "database" | "clock" | "cipher">,
  { userId, sessionId, name, network }: Browser,
  { endpoint, keys }: PushSubscriptionRequest,
): Promise<string> {
  const id = idOf(endpoint)
  const { keyId, bytes } = cipher.seal(JSON.stringify(keys), receiverBelongsTo(userId, id))
  const current = { name, session_id: sessionId, key_id: keyId, secret: bytes }
  await dataTransaction(database, userId, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("receiver")
      // The browser has asked again, so earlier failures say nothing.
      .set({ ...current, ...WORKING })
      .where("user_id", "=", userId)
      .where("kind", "=", "push")
      .where("id", "=", id)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
    await requireRoom(transaction, userId, { kind: "push", word: "browsers" })
    await transaction
      .insertInto("receiver")
      .values({ user_id: userId, id, kind: "push", url: endpoint, events: null, created_at: clock.now(), ...current })
      .execute()
    const event = { type: "push_subscription_created" as const, detail: name, network }
    await recordSecurityEvent({ database: transaction, clock }, userId, event)
  })
  return id
}

interface ListedBrowser {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  /** When its push service last took a message, in the last 30 days. */
  readonly lastSentAt: Date | null
  /** True if the session that asks turned them on there. */
  readonly isThisSession: boolean
  /** Why the last message did not arrive. Null if it did. */
  readonly fault: string | null
}

/** The person's browsers, oldest first. */
export async function listPushSubscriptions(
  { database }: Pick<Context, "database">,
  { userId, sessionId }: Pick<Browser, "userId" | "sessionId">,
): Promise<ListedBrowser[]> {
  const { rows } = await sql<ListedBrowser>`
    select r.id, r.name, r.created_at as "createdAt", sent.at as "lastSentAt", r.session_id = ${sessionId} as "isThisSession",
      last.fault
    from restwell.receiver r
    left join lateral (
      select max(d.last_attempt_at) as at from restwell.delivery d
      where d.user_id = r.user_id and d.receiver_id = r.id and d.status = 'delivered') sent on true
    left join lateral (
      select case d.status when 'delivered' then null else d.answer end as fault from restwell.delivery d
      where d.user_id = r.user_id and d.receiver_id = r.id and d.last_attempt_at is not null
      order by d.last_attempt_at desc limit 1) last on true
    where r.user_id = ${userId} and r.kind = 'push'
    order by r.created_at, r.id`.execute(database)
  return rows
}

/** Ends a browser's notifications. @throws {NotFound} when the person has no such browser */
export const endPushSubscription = (
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, id, network }: Pick<Browser, "userId" | "network"> & { readonly id: string },
): Promise<void> =>
  dataTransaction(database, userId, async (transaction) => {
    if (!(await endBrowser(transaction, clock, { userId, id, network })))
      throw new NotFound("you have no browser with this id")
  })

/** Deletes a browser with what waits for it, and says so in the security log. False if there is none. */
export async function endBrowser(
  transaction: Transaction<Database>,
  clock: Context["clock"],
  { userId, id, network }: { readonly userId: string; readonly id: string; readonly network?: string },
): Promise<boolean> {
  const ended = await transaction
    .deleteFrom("receiver")
    .where("user_id", "=", userId)
    .where("kind", "=", "push")
    .where(sql<string>`id::text`, "=", id)
    .returning("name")
    .executeTakeFirst()
  if (!ended) return false
  const event = { type: "push_subscription_ended" as const, detail: ended.name ?? undefined, network }
  await recordSecurityEvent({ database: transaction, clock }, userId, event)
  return true
}

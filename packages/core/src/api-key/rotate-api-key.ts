import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { generateApiKey } from "./key-format.ts"

/**
 * Replaces the person's API key. Returns the new key, which is not stored readable. The former key stops working with the commit,
 * on every replica, because each read looks the key up.
 * @param network the visitor's network, for the security log
 */
export async function rotateApiKey(
  context: Context,
  userId: string,
  network?: string,
): Promise<{ readonly apiKey: string; readonly prefix: string; readonly createdAt: Date }> {
  const { text, keyHash, prefix } = generateApiKey()
  const values = { key_hash: Buffer.from(keyHash, "hex"), prefix, created_at: context.clock.now(), last_used_at: null }
  await personTransaction(context.database, userId, async (transaction) => {
    const { numInsertedOrUpdatedRows: created = 0n } = await transaction
      .insertInto("api_key")
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column("user_id").doNothing())
      .executeTakeFirstOrThrow()
    if (created === 0n) await transaction.updateTable("api_key").set(values).where("user_id", "=", userId).execute()
    const type = created === 0n ? "api_key_regenerated" : "api_key_created"
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, {
      type,
      detail: prefix,
      network,
    })
  })
  return { apiKey: text, prefix, createdAt: values.created_at }
}

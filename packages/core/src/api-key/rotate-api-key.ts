import type { Context } from "../context.ts"
import { generateApiKey } from "./key-format.ts"

/** Gives the person a new key, shown this once. The former one is dead with the commit, on every replica: each read looks the key up. */
export async function rotateApiKey(
  context: Context,
  userId: string,
): Promise<{ readonly apiKey: string; readonly prefix: string; readonly createdAt: Date }> {
  const { text, keyHash, prefix } = generateApiKey()
  const values = { key_hash: keyHash, prefix, created_at: context.clock.now(), last_used_at: null }
  await context.database
    .insertInto("api_key")
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute()
  return { apiKey: text, prefix, createdAt: values.created_at }
}

import type { Context } from "../context/context.ts"
import type { Sealed } from "../crypto/token-cipher.ts"

const PURPOSE = "oauth"

/** The context a signing key is encrypted with. @param purpose the id of its row */
export const signingKeyBelongsTo = (purpose: string): string => `signing-key/${purpose}`

const BELONGS_TO = signingKeyBelongsTo(PURPOSE)

/**
 * The authorization server's signing key, one for all replicas, stored encrypted. If the secret that encrypted it is gone, a new
 * key replaces it: it signs only identity tokens, which are valid for minutes. @param make returns a new key as text
 */
export async function readSigningKey(
  context: Pick<Context, "database" | "clock" | "cipher" | "logger">,
  make: () => string,
): Promise<string> {
  const stored = (await findSealed(context)) ?? (await store(context, make()))
  try {
    return context.cipher.open(stored, BELONGS_TO)
  } catch (error) {
    context.logger.warn({ err: error }, "the signing key can no longer be decrypted and is replaced")
    await context.database.deleteFrom("signing_key").where("key_id", "=", stored.keyId).execute()
    return context.cipher.open(await store(context, make()), BELONGS_TO)
  }
}

async function findSealed({ database }: Pick<Context, "database">): Promise<Sealed | undefined> {
  const row = await database.selectFrom("signing_key").selectAll().where("id", "=", PURPOSE).executeTakeFirst()
  return row && { keyId: row.key_id, bytes: row.sealed }
}

/** Stores a new key. Returns the key of another process if that one was first. */
async function store(context: Pick<Context, "database" | "clock" | "cipher">, key: string): Promise<Sealed> {
  const { keyId, bytes } = context.cipher.seal(key, BELONGS_TO)
  await context.database
    .insertInto("signing_key")
    .values({ id: PURPOSE, key_id: keyId, sealed: bytes, created_at: context.clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute()
  const stored = await findSealed(context)
  if (!stored) throw new Error("the signing key was not stored")
  return stored
}

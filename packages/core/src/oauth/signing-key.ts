import type { Context } from "../context/context.ts"
import type { Sealed } from "../crypto/token-cipher.ts"

const PURPOSE = "oauth"

/** What a sealed key belongs to. @param purpose the id of its row */
export const signingKeyBelongsTo = (purpose: string): string => `signing-key/${purpose}`

const BELONGS_TO = signingKeyBelongsTo(PURPOSE)

/**
 * The key that signs for the authorization server: made once for all replicas, sealed in the store. One that was sealed under a secret that
 * is gone is replaced: identity tokens are proof for minutes only, and nothing else is signed. @param make a new one, as text
 */
export async function readSigningKey(
  context: Pick<Context, "database" | "clock" | "cipher" | "logger">,
  make: () => string,
): Promise<string> {
  const stored = (await findSealed(context)) ?? (await keep(context, make()))
  try {
    return context.cipher.open(stored, BELONGS_TO)
  } catch (error) {
    context.logger.warn({ err: error }, "the signing key cannot be opened any more and is replaced")
    await context.database.deleteFrom("signing_key").where("key_id", "=", stored.keyId).execute()
    return context.cipher.open(await keep(context, make()), BELONGS_TO)
  }
}

type Store = Pick<Context, "database" | "clock" | "cipher">

async function findSealed({ database }: Pick<Store, "database">): Promise<Sealed | undefined> {
  const row = await database.selectFrom("signing_key").selectAll().where("id", "=", PURPOSE).executeTakeFirst()
  return row && { keyId: row.key_id, bytes: row.sealed }
}

/** Keeps a new key, or gives the one that another process kept first. */
async function keep(context: Store, key: string): Promise<Sealed> {
  const { keyId, bytes } = context.cipher.seal(key, BELONGS_TO)
  await context.database
    .insertInto("signing_key")
    .values({ id: PURPOSE, key_id: keyId, sealed: bytes, created_at: context.clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute()
  const kept = await findSealed(context)
  if (!kept) throw new Error("the signing key was not kept")
  return kept
}

// Keys that this installation signs with: identity tokens of assistants, and messages to browsers. One of each for all replicas, encrypted.
import { type Sealed, UnreadableSecret } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"
import { UnusableDatabase } from "../store/migrate.ts"

/** `oauth` signs identity tokens, `push` the requests to push services (RFC 8292). */
export type SigningPurpose = "oauth" | "push"

/** The context a signing key is encrypted with. @param purpose the id of its row */
export const signingKeyBelongsTo = (purpose: string): string => `signing-key/${purpose}`

type Store = Pick<Context, "database" | "cipher">

/** The key for a purpose, which the first call makes. @param make returns a new key as text */
export async function readSigningKey(
  context: Store & Pick<Context, "clock">,
  purpose: SigningPurpose,
  make: () => string,
): Promise<string> {
  const found = await findSigningKey(context, purpose)
  return found ?? context.cipher.open(await store(context, purpose, make()), signingKeyBelongsTo(purpose))
}

/**
 * The stored key. Undefined before the first use, which stores one. A process with another secret than that of the database could open no
 * vendor token either, and would end every connection that it syncs.
 * @throws {UnusableDatabase} when none of the secrets decrypts it
 */
export async function findSigningKey(context: Store, purpose: SigningPurpose): Promise<string | undefined> {
  const stored = await findSealed(context, purpose)
  try {
    return stored && context.cipher.open(stored, signingKeyBelongsTo(purpose))
  } catch (cause) {
    if (!(cause instanceof UnreadableSecret)) throw cause
    throw new UnusableDatabase(
      "this database was encrypted with another secret",
      "start with that one as RESTWELL_SECRET, or add it to RESTWELL_FORMER_SECRETS. " +
        "If it is lost, run: restwell re-encrypt --forget-lost-secret. People must then connect their devices and sign in again. Nothing was changed",
      { cause },
    )
  }
}

/**
 * Deletes the signing keys, and browsers' subscriptions, which are for the lost key alone. The next use makes new keys: identity tokens are
 * valid for minutes, and people turn notifications on again.
 */
export async function forgetSigningKeys({ database }: Pick<Store, "database">): Promise<void> {
  await database.deleteFrom("signing_key").execute()
  await database.deleteFrom("receiver").where("kind", "=", "push").execute()
}

async function findSealed(
  { database }: Pick<Context, "database">,
  purpose: SigningPurpose,
): Promise<Sealed | undefined> {
  const row = await database.selectFrom("signing_key").selectAll().where("id", "=", purpose).executeTakeFirst()
  return row && { keyId: row.key_id, bytes: row.sealed }
}

/** Stores a new key. Returns the key of another process if that one was first. */
async function store(context: Store & Pick<Context, "clock">, purpose: SigningPurpose, key: string): Promise<Sealed> {
  const { keyId, bytes } = context.cipher.seal(key, signingKeyBelongsTo(purpose))
  await context.database
    .insertInto("signing_key")
    .values({ id: purpose, key_id: keyId, sealed: bytes, created_at: context.clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute()
  const stored = await findSealed(context, purpose)
  if (!stored) throw new Error("the signing key was not stored")
  return stored
}

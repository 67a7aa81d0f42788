import type { Context } from "../context.ts"

const PURPOSE = "oauth"

/** The key that signs for the authorization server: made once for all replicas, sealed in the store. @param make a new one, as text */
export async function readSigningKey(
  { database, clock, cipher }: Pick<Context, "database" | "clock" | "cipher">,
  make: () => string,
): Promise<string> {
  const belongsTo = `signing-key/${PURPOSE}`
  const find = () => database.selectFrom("signing_key").selectAll().where("id", "=", PURPOSE).executeTakeFirst()
  if (!(await find())) {
    const { keyId, bytes } = cipher.seal(make(), belongsTo)
    await database
      .insertInto("signing_key")
      .values({ id: PURPOSE, key_id: keyId, sealed: bytes, created_at: clock.now() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute()
  }
  const key = await find()
  if (!key) throw new Error("the signing key was not kept")
  return cipher.open({ keyId: key.key_id, bytes: key.sealed }, belongsTo)
}

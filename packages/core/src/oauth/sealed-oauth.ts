import type { Context } from "../context/context.ts"
import { reencryptValue, type SealedRows } from "../crypto/reencrypt-rows.ts"
import { secretBelongsTo } from "./oauth-clients.ts"
import { signingKeyBelongsTo } from "./signing-key.ts"

/** Secrets of registered clients. */
export const sealedClients = ({ database, cipher }: Pick<Context, "database" | "cipher">): SealedRows<string> => ({
  async find() {
    const rows = await database
      .selectFrom("oauth_client")
      .select("client_id")
      .where("secret", "is not", null)
      .where("secret_key_id", "!=", cipher.currentKeyId())
      .execute()
    return rows.map(({ client_id }) => client_id)
  },
  reencrypt: (clientId) =>
    database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom("oauth_client")
        .select(["secret", "secret_key_id"])
        .where("client_id", "=", clientId)
        .forUpdate()
        .executeTakeFirst()
      if (!row?.secret || row.secret_key_id === null) return []
      const value = reencryptValue(cipher, { keyId: row.secret_key_id, bytes: row.secret }, secretBelongsTo(clientId))
      await transaction
        .updateTable("oauth_client")
        .set({ secret_key_id: value.sealed.keyId, secret: value.sealed.bytes })
        .where("client_id", "=", clientId)
        .execute()
      return [value]
    }),
})

/** The key that signs identity tokens. The key itself stays the same. */
export const sealedSigningKey = ({ database, cipher }: Pick<Context, "database" | "cipher">): SealedRows<string> => ({
  async find() {
    const rows = await database
      .selectFrom("signing_key")
      .select("id")
      .where("key_id", "!=", cipher.currentKeyId())
      .execute()
    return rows.map(({ id }) => id)
  },
  reencrypt: (id) =>
    database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom("signing_key")
        .select(["key_id", "sealed"])
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst()
      if (!row) return []
      const value = reencryptValue(cipher, { keyId: row.key_id, bytes: row.sealed }, signingKeyBelongsTo(id))
      await transaction
        .updateTable("signing_key")
        .set({ key_id: value.sealed.keyId, sealed: value.sealed.bytes })
        .where("id", "=", id)
        .execute()
      return [value]
    }),
})

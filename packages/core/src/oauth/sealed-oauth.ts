import type { Context } from "../context/context.ts"
import { resealValue, type SealedRows } from "../reseal/reseal-rows.ts"
import { secretBelongsTo } from "./oauth-clients.ts"
import { signingKeyBelongsTo } from "./signing-key.ts"

/** The secrets of clients that registered with one. */
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
  reseal: (clientId) =>
    database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom("oauth_client")
        .select(["secret", "secret_key_id"])
        .where("client_id", "=", clientId)
        .forUpdate()
        .executeTakeFirst()
      if (!row?.secret || row.secret_key_id === null) return []
      const resealed = resealValue(cipher, { keyId: row.secret_key_id, bytes: row.secret }, secretBelongsTo(clientId))
      await transaction
        .updateTable("oauth_client")
        .set({ secret_key_id: resealed.sealed.keyId, secret: resealed.sealed.bytes })
        .where("client_id", "=", clientId)
        .execute()
      return [resealed]
    }),
})

/** The key that signs identity tokens: the same key, sealed anew. */
export const sealedSigningKey = ({ database, cipher }: Pick<Context, "database" | "cipher">): SealedRows<string> => ({
  async find() {
    const rows = await database
      .selectFrom("signing_key")
      .select("id")
      .where("key_id", "!=", cipher.currentKeyId())
      .execute()
    return rows.map(({ id }) => id)
  },
  reseal: (id) =>
    database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom("signing_key")
        .select(["key_id", "sealed"])
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst()
      if (!row) return []
      const resealed = resealValue(cipher, { keyId: row.key_id, bytes: row.sealed }, signingKeyBelongsTo(id))
      await transaction
        .updateTable("signing_key")
        .set({ key_id: resealed.sealed.keyId, sealed: resealed.sealed.bytes })
        .where("id", "=", id)
        .execute()
      return [resealed]
    }),
})

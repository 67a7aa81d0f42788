import type { ConnectionId, Context } from "../context/context.ts"
import { reencryptValue, type SealedRows } from "../crypto/reencrypt-rows.ts"
import { belongsTo, readGrant } from "./stored-grant.ts"

/** The vendors' tokens: two in each row, each with its own key. */
export const sealedGrants = ({ database, cipher }: Pick<Context, "database" | "cipher">): SealedRows<ConnectionId> => ({
  async find() {
    const current = cipher.currentKeyId()
    const rows = await database
      .selectFrom("vendor_grant")
      .select(["user_id", "provider"])
      .where((where) =>
        where.or([
          where("key_id", "!=", current),
          where.and([where("refresh_token", "is not", null), where("refresh_key_id", "is distinct from", current)]),
        ]),
      )
      .execute()
    return rows.map(({ user_id: userId, provider }) => ({ userId, provider }))
  },
  reencrypt: (connection) =>
    database.transaction().execute(async (transaction) => {
      const grant = await readGrant(transaction, connection, "lock")
      if (!grant) return []
      const reencrypt = (keyId: string, bytes: Buffer, column: "access_token" | "refresh_token") =>
        reencryptValue(cipher, { keyId, bytes }, belongsTo(connection, column))
      const access = reencrypt(grant.key_id, grant.access_token, "access_token")
      const refresh =
        grant.refresh_token && grant.refresh_key_id !== null
          ? reencrypt(grant.refresh_key_id, grant.refresh_token, "refresh_token")
          : undefined
      await transaction
        .updateTable("vendor_grant")
        .set({
          key_id: access.sealed.keyId,
          access_token: access.sealed.bytes,
          ...(refresh && { refresh_key_id: refresh.sealed.keyId, refresh_token: refresh.sealed.bytes }),
        })
        .where("user_id", "=", connection.userId)
        .where("provider", "=", connection.provider)
        .execute()
      return refresh ? [access, refresh] : [access]
    }),
})

import type { Context } from "../context/context.ts"
import { reencryptValue, type SealedRows } from "../crypto/reencrypt-rows.ts"
import { settingBelongsTo } from "./service-settings.ts"

/** The settings that the owner has made on the page Service. Their time of change stays: the values are the same. */
export const sealedSettings = ({ database, cipher }: Pick<Context, "database" | "cipher">): SealedRows<string> => ({
  async find() {
    const rows = await database
      .selectFrom("service_setting")
      .select("name")
      .where("key_id", "!=", cipher.currentKeyId())
      .execute()
    return rows.map(({ name }) => name)
  },
  reencrypt: (name) =>
    database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom("service_setting")
        .select(["key_id", "sealed"])
        .where("name", "=", name)
        .forUpdate()
        .executeTakeFirst()
      if (!row) return []
      const value = reencryptValue(cipher, { keyId: row.key_id, bytes: row.sealed }, settingBelongsTo(name))
      await transaction
        .updateTable("service_setting")
        .set({ key_id: value.sealed.keyId, sealed: value.sealed.bytes })
        .where("name", "=", name)
        .execute()
      return [value]
    }),
})

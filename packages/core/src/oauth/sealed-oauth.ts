import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { reencryptValue, type SealedRows } from "../crypto/reencrypt-rows.ts"
import type { Sealed } from "../crypto/token-cipher.ts"
import { secretBelongsTo } from "./oauth-clients.ts"
import { signingKeyBelongsTo } from "./signing-key.ts"

type Store = Pick<Context, "database" | "cipher">

/** Secrets of registered clients. */
export const sealedClients = (store: Store): SealedRows<string> =>
  sealedColumn(store, {
    table: "oauth_client",
    id: "client_id",
    keyId: "secret_key_id",
    bytes: "secret",
    belongsTo: secretBelongsTo,
  })

/** The key that signs identity tokens. The key itself stays the same. */
export const sealedSigningKey = (store: Store): SealedRows<string> =>
  sealedColumn(store, {
    table: "signing_key",
    id: "id",
    keyId: "key_id",
    bytes: "sealed",
    belongsTo: signingKeyBelongsTo,
  })

interface SealedColumn {
  readonly table: string
  readonly id: string
  readonly keyId: string
  readonly bytes: string
  readonly belongsTo: (id: string) => string
}

/** The rows of a table that has one sealed column, which may be null. */
function sealedColumn({ database, cipher }: Store, column: SealedColumn): SealedRows<string> {
  const [table, id] = [sql.table(`restwell.${column.table}`), sql.ref(column.id)]
  const [keyId, bytes] = [sql.ref(column.keyId), sql.ref(column.bytes)]
  return {
    async find() {
      const current = cipher.currentKeyId()
      const { rows } = await sql<{ id: string }>`
        select ${id} as id from ${table} where ${bytes} is not null and ${keyId} <> ${current}`.execute(database)
      return rows.map((row) => row.id)
    },
    reencrypt: (rowId) =>
      database.transaction().execute(async (transaction) => {
        const { rows } = await sql<Sealed>`
          select ${keyId} as "keyId", ${bytes} as bytes from ${table}
          where ${id} = ${rowId} and ${bytes} is not null for update`.execute(transaction)
        const values = rows.map((sealed) => reencryptValue(cipher, sealed, column.belongsTo(rowId)))
        for (const { sealed } of values)
          await sql`
            update ${table} set ${keyId} = ${sealed.keyId}, ${bytes} = ${sealed.bytes}
            where ${id} = ${rowId}`.execute(transaction)
        return values
      }),
  }
}

import type { TokenSet } from "@restwell/providers"
import type { Selectable, Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

type TokenColumn = "access_token" | "refresh_token"

/** What a sealed token belongs to: it opens in no other row or column. */
export const belongsTo = ({ userId, provider }: ConnectionId, column: TokenColumn): string =>
  `${userId}/${provider}/${column}`

/** Seals and stores the tokens of a connection. A refresh token the vendor left out stays as it is. */
export async function storeGrant(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
  tokens: TokenSet,
): Promise<void> {
  const access = context.cipher.seal(tokens.accessToken, belongsTo(connection, "access_token"))
  const refresh =
    tokens.refreshToken === undefined
      ? undefined
      : context.cipher.seal(tokens.refreshToken, belongsTo(connection, "refresh_token"))
  const grant = {
    key_id: access.keyId,
    access_token: access.bytes,
    expires_at: new Date(context.clock.now().getTime() + tokens.expiresInSeconds * 1000),
    scopes: [...tokens.scopes],
    ...(refresh && { refresh_token: refresh.bytes, refresh_key_id: refresh.keyId }),
  }
  await transaction
    .insertInto("vendor_grant")
    .values({ user_id: connection.userId, provider: connection.provider, refresh_token: null, ...grant })
    .onConflict((conflict) => conflict.columns(["user_id", "provider"]).doUpdateSet(grant))
    .execute()
}

/** A pair of tokens as it is stored: sealed. */
export type Grant = Selectable<Database["vendor_grant"]>

/** @param lock holds the row until the transaction ends */
export async function readGrant(database: Context["database"], { userId, provider }: ConnectionId, lock?: "lock") {
  const select = database
    .selectFrom("vendor_grant")
    .selectAll()
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
  return (lock ? select.forUpdate() : select).executeTakeFirst()
}

/** One of its tokens; undefined where the vendor gave none. @throws {UnreadableSecret} */
export function openToken(
  context: Context,
  connection: ConnectionId,
  grant: Grant,
  column: TokenColumn,
): string | undefined {
  const bytes = grant[column]
  const keyId = column === "refresh_token" ? (grant.refresh_key_id ?? grant.key_id) : grant.key_id
  return bytes === null ? undefined : context.cipher.open({ keyId, bytes }, belongsTo(connection, column))
}

import type { TokenSet } from "@restwell/providers"
import type { Selectable, Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

/** A pair of tokens as stored: encrypted. */
export type Grant = Selectable<Database["vendor_grant"]>

export interface AccessToken {
  readonly value: string
  readonly expiresAt: Date
}

/** An access token this close to its expiry is refreshed before it is used. */
const EXPIRY_MARGIN_MS = 60_000

/** Additional data of the encryption: a token decrypts only in its own row and column. */
export const belongsTo = ({ userId, provider }: ConnectionId, column: "access_token" | "refresh_token"): string =>
  `${userId}/${provider}/${column}`

/** Encrypts and stores the tokens of a connection. Without a new refresh token the stored one stays. */
export async function storeGrant(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
  tokens: TokenSet,
): Promise<AccessToken> {
  const access = context.cipher.seal(tokens.accessToken, belongsTo(connection, "access_token"))
  const refresh =
    tokens.refreshToken === undefined
      ? undefined
      : context.cipher.seal(tokens.refreshToken, belongsTo(connection, "refresh_token"))
  const expiresAt = new Date(context.clock.now().getTime() + tokens.expiresInSeconds * 1000)
  const grant = {
    key_id: access.keyId,
    access_token: access.bytes,
    expires_at: expiresAt,
    scopes: [...tokens.scopes],
    ...(refresh && { refresh_token: refresh.bytes, refresh_key_id: refresh.keyId }),
  }
  await transaction
    .insertInto("vendor_grant")
    .values({ user_id: connection.userId, provider: connection.provider, refresh_token: null, ...grant })
    .onConflict((conflict) => conflict.columns(["user_id", "provider"]).doUpdateSet(grant))
    .execute()
  return { value: tokens.accessToken, expiresAt }
}

/** @param lock locks the row until the transaction ends */
export async function readGrant(database: Context["database"], { userId, provider }: ConnectionId, lock?: "lock") {
  const select = database
    .selectFrom("vendor_grant")
    .selectAll()
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
  return (lock ? select.forUpdate() : select).executeTakeFirst()
}

/** @throws {UnreadableSecret} */
export function openAccessToken(
  { cipher }: Pick<Context, "cipher">,
  connection: ConnectionId,
  grant: Grant,
): AccessToken {
  const encrypted = { keyId: grant.key_id, bytes: grant.access_token }
  return { value: cipher.open(encrypted, belongsTo(connection, "access_token")), expiresAt: grant.expires_at }
}

/** Undefined where the vendor gave none. @throws {UnreadableSecret} */
export function openRefreshToken(
  { cipher }: Pick<Context, "cipher">,
  connection: ConnectionId,
  grant: Grant,
): string | undefined {
  if (grant.refresh_token === null || grant.refresh_key_id === null) return undefined
  const encrypted = { keyId: grant.refresh_key_id, bytes: grant.refresh_token }
  return cipher.open(encrypted, belongsTo(connection, "refresh_token"))
}

/** True when an access token has expired or is about to. */
export const isExpired = ({ clock }: Pick<Context, "clock">, expiresAt: Date): boolean =>
  expiresAt.getTime() - EXPIRY_MARGIN_MS <= clock.now().getTime()

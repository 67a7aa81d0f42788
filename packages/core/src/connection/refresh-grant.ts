import { AuthorizationRevoked } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { adapterOf } from "./adapter-of.ts"
import { persistTokens, type RefreshedPair } from "./persist-tokens.ts"
import { applyEvent } from "./states.ts"
import {
  type AccessToken,
  type Grant,
  isExpired,
  openAccessToken,
  openRefreshToken,
  readGrant,
  storeGrant,
} from "./stored-grant.ts"

/** Returns a valid access token. @param rejected a token that the vendor has just refused */
export const freshAccessToken = async (
  context: Context,
  connection: ConnectionId,
  rejected?: string,
): Promise<string> => (await loadAccessToken(context, connection, rejected)).value

/** Returns the stored access token, refreshed if it is about to expire or was rejected. @throws {AuthorizationRevoked} */
export async function loadAccessToken(
  context: Context,
  connection: ConnectionId,
  rejected?: string,
): Promise<AccessToken> {
  const usable = usableToken(context, connection, await readGrant(context.database, connection), rejected)
  return usable ?? refreshGrant(context, connection, rejected)
}

type Refresh =
  | { readonly token: AccessToken }
  | { readonly refused: AuthorizationRevoked; readonly refreshToken?: string | undefined }

/**
 * Refreshes a grant under its row lock: one refresh per connection at a time, across all jobs and processes. A refresh token works
 * once, so two refreshes would revoke each other. The others wait for the lock and find the new pair. The pair is committed before use.
 */
async function refreshGrant(context: Context, connection: ConnectionId, rejected?: string): Promise<AccessToken> {
  const answer: { pair?: RefreshedPair } = {}
  const refreshing = context.database.transaction().execute(async (transaction): Promise<Refresh> => {
    const grant = await readGrant(transaction, connection, "lock")
    const usable = usableToken(context, connection, grant, rejected)
    if (usable) return { token: usable }
    const refreshToken = grant && openRefreshToken(context, connection, grant)
    if (refreshToken === undefined) return { refused: new AuthorizationRevoked("there is no refresh token") }
    await proveWritable(transaction, connection)
    try {
      const tokens = await adapterOf(context, connection.provider).refreshTokens(refreshToken)
      answer.pair = { tokens, replaced: refreshToken }
      return { token: await storeGrant(transaction, context, connection, tokens) }
    } catch (error) {
      if (error instanceof AuthorizationRevoked) return { refused: error, refreshToken }
      throw error
    }
  })
  const refresh = await refreshing.catch(async (error: unknown) => {
    // The vendor answered, but the transaction was lost. This is the only copy of the pair.
    if (answer.pair) await persistTokens(context, connection, answer.pair)
    throw error
  })
  return "token" in refresh ? refresh.token : markRevoked(context, connection, refresh)
}

/** A refresh uses up the refresh token. If the database cannot write, for example on a full disk, do not refresh. */
async function proveWritable(transaction: Transaction<Database>, { userId, provider }: ConnectionId): Promise<void> {
  await transaction
    .updateTable("vendor_grant")
    .set((row) => ({ expires_at: row.ref("expires_at") }))
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}

/** Marks the connection as revoked, unless a new connect has replaced the refused pair meanwhile. Then its token is returned. */
async function markRevoked(
  context: Context,
  connection: ConnectionId,
  { refused, refreshToken }: Extract<Refresh, { refused: AuthorizationRevoked }>,
): Promise<AccessToken> {
  const replacement = await personTransaction(context.database, connection.userId, async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    const stored = grant && openRefreshToken(context, connection, grant)
    if (grant && stored !== undefined && stored !== refreshToken) return openAccessToken(context, connection, grant)
    await applyEvent(transaction, context, connection, {
      type: "authorization_revoked",
      reason: "the vendor no longer accepts the authorization, connect again",
    })
    return undefined
  })
  if (replacement) return replacement
  throw refused
}

function usableToken(
  context: Context,
  connection: ConnectionId,
  grant: Grant | undefined,
  rejected?: string,
): AccessToken | undefined {
  if (!grant || isExpired(context, grant.expires_at)) return undefined
  const token = openAccessToken(context, connection, grant)
  return token.value === rejected ? undefined : token
}

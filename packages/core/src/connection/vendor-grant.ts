import { AuthorizationRevoked, type VendorAdapter } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { UnreadableSecret } from "../crypto/token-cipher.ts"
import type { Database } from "../store/database.ts"
import { keepTokens, type RefreshedPair } from "./keep-tokens.ts"
import { applyEvent } from "./states.ts"
import { type Grant, openToken, readGrant, storeGrant } from "./stored-grant.ts"

/** A token this close to its end is refreshed before it is used. */
const EXPIRY_MARGIN_MS = 60_000

/** A call to the vendor under a row's lock ends sooner than this. */
const LONGEST_REFRESH = "60s"

/** Nothing else that a visitor wrote is repeated to them. */
const NAME = /^[a-z0-9-]{1,32}$/

/** The adapter of a provider the operator configured. @throws {NotFound} */
export function adapterOf(context: Context, provider: string): VendorAdapter {
  const adapter = context.adapters.get(provider)
  if (adapter) return adapter
  const known = [...context.adapters.keys()].join(", ")
  throw new NotFound(
    `provider ${NAME.test(provider) ? provider : "of that name"} is not available here, ${known ? `try ${known}` : "the operator configured none"}`,
  )
}

/** An access token that is good as far as we know. @param rejected one the vendor has just refused, never to be returned again */
export async function freshAccessToken(context: Context, connection: ConnectionId, rejected?: string): Promise<string> {
  const usable = usableToken(context, connection, await readGrant(context.database, connection), rejected)
  return usable ?? refreshGrant(context, connection, rejected)
}

/** A pair of tokens that is no longer stored: nobody else uses it any more. */
export interface TakenGrant {
  readonly connection: ConnectionId
  /** Undefined once it has expired. */
  readonly accessToken: string | undefined
  readonly refreshToken: string | undefined
}

/**
 * Takes a person's grants out of the store, all or that of one provider, for a last call to the vendors. A refresh under way is
 * waited for, so that the pair is the newest one; a later one finds nothing to refresh. One that cannot be opened is left out.
 */
export async function takeGrants(
  transaction: Transaction<Database>,
  context: Context,
  { userId, provider }: { readonly userId: string; readonly provider?: string },
): Promise<TakenGrant[]> {
  await sql`set local statement_timeout = ${sql.lit(LONGEST_REFRESH)}`.execute(transaction)
  const taking = transaction.deleteFrom("vendor_grant").where("user_id", "=", userId)
  const grants = await (provider === undefined ? taking : taking.where("provider", "=", provider))
    .returningAll()
    .execute()
  return grants.flatMap((grant) => openGrant(context, grant))
}

function openGrant(context: Context, grant: Grant): TakenGrant[] {
  const connection = { userId: grant.user_id, provider: grant.provider }
  try {
    const accessToken = isExpired(context, grant) ? undefined : openToken(context, connection, grant, "access_token")
    return [{ connection, accessToken, refreshToken: openToken(context, connection, grant, "refresh_token") }]
  } catch (err) {
    if (!(err instanceof UnreadableSecret)) throw err
    context.logger.warn({ ...connection, err }, "a vendor's tokens cannot be opened any more")
    return []
  }
}

/**
 * One refresh per connection, whatever the number of jobs and processes: a vendor's refresh tokens die at first use, and two
 * workers would revoke each other. Whoever holds the row refreshes; the others wait and find the new pair. The pair is
 * committed before anyone uses it.
 */
async function refreshGrant(context: Context, connection: ConnectionId, rejected?: string): Promise<string> {
  const answered: { pair?: RefreshedPair } = {}
  const refreshing = context.database.transaction().execute(async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    const usable = usableToken(context, connection, grant, rejected)
    if (usable !== undefined) return { accessToken: usable }
    const refreshToken = grant && openToken(context, connection, grant, "refresh_token")
    if (refreshToken === undefined) return { revoked: new AuthorizationRevoked("there is no refresh token") }
    await proveWritable(transaction, connection)
    try {
      const tokens = await adapterOf(context, connection.provider).refreshTokens(refreshToken)
      answered.pair = { tokens, replaced: refreshToken }
      await storeGrant(transaction, context, connection, tokens)
      return { accessToken: tokens.accessToken }
    } catch (error) {
      if (error instanceof AuthorizationRevoked) return { revoked: error, refreshToken }
      throw error
    }
  })
  const attempt = await refreshing.catch(async (error: unknown) => {
    // The vendor has answered, and the database was lost before the pair was kept: there is no other copy of it.
    if (answered.pair) await keepTokens(context, connection, answered.pair)
    throw error
  })
  if (attempt.accessToken !== undefined) return attempt.accessToken
  return settleRevoked(context, connection, attempt)
}

/** A refresh token is used up by the vendor's answer: where that cannot be kept, for want of room on the disk, it is not asked for. */
async function proveWritable(transaction: Transaction<Database>, { userId, provider }: ConnectionId): Promise<void> {
  await transaction
    .updateTable("vendor_grant")
    .set((row) => ({ expires_at: row.ref("expires_at") }))
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}

/** Before a connection is declared dead, the stored pair is read once more: it may have been replaced by a new connect. */
async function settleRevoked(
  context: Context,
  connection: ConnectionId,
  { revoked, refreshToken }: { revoked: AuthorizationRevoked; refreshToken?: string | undefined },
): Promise<string> {
  const result = await context.database.transaction().execute(async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    const stored = grant && openToken(context, connection, grant, "refresh_token")
    if (grant && stored !== undefined && stored !== refreshToken)
      return openToken(context, connection, grant, "access_token")
    await applyEvent(transaction, context, connection, {
      type: "authorization_revoked",
      reason: "the vendor no longer accepts the authorization, connect again",
    })
    return undefined
  })
  if (result !== undefined) return result
  throw revoked
}

const isExpired = ({ clock }: Context, grant: Grant): boolean =>
  grant.expires_at.getTime() - EXPIRY_MARGIN_MS <= clock.now().getTime()

function usableToken(
  context: Context,
  connection: ConnectionId,
  grant: Grant | undefined,
  rejected?: string,
): string | undefined {
  if (!grant || isExpired(context, grant)) return undefined
  const accessToken = openToken(context, connection, grant, "access_token")
  return accessToken === rejected ? undefined : accessToken
}

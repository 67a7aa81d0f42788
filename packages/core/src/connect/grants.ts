import { MINUTE_MS } from "@restwell/client/time-units"
import { AuthorizationRevoked, type TokenSet } from "@restwell/providers"
import type { Selectable, Transaction } from "kysely"
import { UnreadableSecret } from "../base/encryption.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { type Database, personTransaction } from "../store/database.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { applyEvent } from "./connection-status.ts"
import { failureText } from "./failure-texts.ts"
import { findOtherConnections } from "./shared-member.ts"
import { adapterOf, oauthAdapterOf } from "./vendor-app.ts"

/** A pair of tokens as stored: encrypted. */
export type Grant = Selectable<Database["vendor_grant"]>

interface AccessToken {
  readonly value: string
  readonly expiresAt: Date
  /** What the grant opens. */
  readonly scopes: readonly string[]
}

/** An access token this close to its expiry is refreshed before it is used. */
const EXPIRY_MARGIN_MS = MINUTE_MS

/** A person's key at a vendor has no end. A century stands for that. */
export const KEY_LIFETIME_SECONDS = 100 * 366 * 86_400

/** Additional data of the encryption: a token decrypts only in its own row and column. */
export const belongsTo = ({ userId, provider }: ConnectionId, column: "access_token" | "refresh_token"): string =>
  `${userId}/${provider}/${column}`

/** Encrypts and stores the tokens of a connection. Without a new refresh token or scopes, the stored ones stay. */
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
    ...(tokens.scopes && { scopes: [...tokens.scopes] }),
    ...(refresh && { refresh_token: refresh.bytes, refresh_key_id: refresh.keyId }),
  }
  const { scopes } = await transaction
    .insertInto("vendor_grant")
    .values({ user_id: connection.userId, provider: connection.provider, refresh_token: null, scopes: [], ...grant })
    .onConflict((conflict) => conflict.columns(["user_id", "provider"]).doUpdateSet(grant))
    .returning("scopes")
    .executeTakeFirstOrThrow()
  return { value: tokens.accessToken, expiresAt, scopes }
}

/** @param lock locks the row until the transaction ends */
async function readGrant(database: Context["database"], { userId, provider }: ConnectionId, lock?: "lock") {
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
  const value = cipher.open(encrypted, belongsTo(connection, "access_token"))
  return { value, expiresAt: grant.expires_at, scopes: grant.scopes }
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

/** A new pair, and the refresh token that it replaces. */
interface RefreshedPair {
  readonly tokens: TokenSet
  readonly replaced: string
}

/** Waits before each try, milliseconds. A database that restarts is back within a minute. */
const WAITS_MS = [200, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

/**
 * Stores a refreshed pair whose transaction was lost. Without it the person would have to connect again. A pair that replaced it
 * meanwhile stays. A connection that was marked as revoked meanwhile recovers.
 */
async function persistTokens(context: Context, connection: ConnectionId, pair: RefreshedPair): Promise<void> {
  for (const waitMs of WAITS_MS) {
    await context.wait(waitMs)
    try {
      return await storePair(context, connection, pair)
    } catch (error) {
      if (databaseTrouble(error) === undefined) throw error
    }
  }
  context.logger.error(connection, "could not store the vendor's new tokens, the person has to connect again")
}

async function storePair(context: Context, connection: ConnectionId, { tokens, replaced }: RefreshedPair) {
  await personTransaction(context.database, connection.userId, async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || openRefreshToken(context, connection, grant) !== replaced) return
    await storeGrant(transaction, context, connection, tokens)
    await applyEvent(transaction, context, connection, { type: "authorization_recovered" })
  })
}

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
      const tokens = await oauthAdapterOf(context, connection.provider).refreshTokens(refreshToken)
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
  return "token" in refresh ? refresh.token : markRevoked(context, connection, { ...refresh, rejected })
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

/** Marks the connection as revoked, unless a new connect has replaced the refused pair or key meanwhile. Then its token is returned. */
async function markRevoked(
  context: Context,
  connection: ConnectionId,
  {
    refused,
    refreshToken,
    rejected,
  }: Extract<Refresh, { refused: AuthorizationRevoked }> & { readonly rejected: string | undefined },
): Promise<AccessToken> {
  const replacement = await personTransaction(context.database, connection.userId, async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    const stored = grant && openRefreshToken(context, connection, grant)
    if (grant && stored !== undefined && stored !== refreshToken) return openAccessToken(context, connection, grant)
    // A key has no refresh token.
    const usable = stored === undefined ? usableToken(context, connection, grant, rejected) : undefined
    if (usable) return usable
    await applyEvent(transaction, context, connection, {
      type: "authorization_revoked",
      reason: failureText(connection.provider, isOfKeys(context, connection) ? "key_ended" : "access_ended"),
    })
    return undefined
  })
  if (replacement) return replacement
  throw refused
}

const isOfKeys = (context: Context, { provider }: ConnectionId): boolean =>
  adapterOf(context, provider).access === "key"

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

/** Why the status of such a connection is `reauthorization_required`. */
export const UNREADABLE_REASON = failureText("", "tokens_unreadable")

/**
 * Asks the person to connect again, unless a new connect has replaced the tokens meanwhile. Returns whether it did. The tokens stay: the
 * operator may find the secret.
 */
export const markUnreadable = (context: Context, connection: ConnectionId): Promise<boolean> =>
  personTransaction(context.database, connection.userId, async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || isReadable(context, connection, grant)) return false
    await applyEvent(transaction, context, connection, { type: "authorization_revoked", reason: UNREADABLE_REASON })
    return true
  })

/**
 * Resumes connections whose tokens can be decrypted again, because the operator has restored the secret. A connection whose
 * member another account has connected meanwhile stays as it is.
 */
export async function recoverUnreadableGrants(context: Context): Promise<void> {
  const rows = await context.database
    .selectFrom("connection")
    .select(["user_id", "provider", "member_id"])
    .where("status", "=", "reauthorization_required")
    .where("status_reason", "=", UNREADABLE_REASON)
    .execute()
  for (const { user_id: userId, provider, member_id: memberId } of rows)
    await recover(context, { userId, provider }, memberId)
}

const recover = (context: Context, connection: ConnectionId, memberId: string | null): Promise<void> =>
  personTransaction(context.database, connection.userId, async (transaction) => {
    const others = memberId === null ? [] : await findOtherConnections(transaction, context, connection, memberId)
    if (others.length > 0) return
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || !isReadable(context, connection, grant)) return
    await applyEvent(transaction, context, connection, { type: "authorization_recovered" })
  })

function isReadable(context: Context, connection: ConnectionId, grant: Grant): boolean {
  try {
    openAccessToken(context, connection, grant)
    openRefreshToken(context, connection, grant)
    return true
  } catch (error) {
    if (error instanceof UnreadableSecret) return false
    throw error
  }
}

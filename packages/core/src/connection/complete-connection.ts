import { AuthorizationRevoked, type NormalizedProfile, ProviderError, type TokenSet } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, Unavailable } from "../context/errors.ts"
import { UnreadableSecret } from "../crypto/token-cipher.ts"
import type { Database } from "../store/database.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { storeProfile } from "../store/store-profile.ts"
import { adapterOf, personalAdapterOf } from "./adapter-of.ts"
import type { ConnectionAttempt } from "./begin-connection.ts"
import { endGrant, endReplacedGrant } from "./end-grant.ts"
import { freshAccessToken } from "./refresh-grant.ts"
import { findRivals } from "./shared-member.ts"
import { applyEvent } from "./states.ts"
import { storeGrant } from "./stored-grant.ts"
import { type TakenGrant, takeGrants } from "./take-grants.ts"

const RETRY_AFTER_SECONDS = 30

/**
 * Exchanges the vendor's code, stores the tokens and requests the first sync. Connecting again keeps the connection and its data.
 * A former grant, and one without all scopes, is ended at the vendor. A grant of another account's member is not: that would end the
 * other account's grant.
 * @throws {InvalidRequest} when the state is unknown, used or too old, the vendor refuses the code, scopes are missing, or the member is
 * connected to another account
 * @throws {Unavailable} when the vendor does not answer
 */
export async function completeConnection(
  context: Context,
  attempt: ConnectionAttempt & { readonly state: string; readonly code: string },
): Promise<void> {
  const adapter = adapterOf(context, attempt.provider)
  await takeState(context, attempt)
  const tokens = await adapter
    .exchangeCode({ code: attempt.code, redirectUri: attempt.redirectUri })
    .catch(mapExchangeError)
  const connection = { userId: attempt.userId, provider: attempt.provider }
  const missing = adapter.scopes.filter((scope) => !tokens.scopes.includes(scope))
  if (missing.length > 0) await refuseNarrowGrant(context, connection, tokens, missing)
  const profile = await fetchProfile(context, connection, tokens)
  const replaced = await personTransaction(context.database, connection.userId, async (transaction) => {
    if (profile) await refuseRivals(transaction, context, connection, profile)
    const grants = await takeGrants(transaction, context, connection)
    await upsertConnection(transaction, context, connection)
    await storeGrant(transaction, context, connection, tokens)
    if (profile) await storeProfile(transaction, connection, profile, context.clock.now())
    await applyEvent(transaction, context, connection, { type: "connected" })
    return grants
  })
  await context.jobs.requestSync(connection)
  for (const grant of replaced) await endReplacedGrant(context, grant, tokens.accessToken)
}

/** Deletes the state, so that it is valid once. */
async function takeState(context: Context, attempt: ConnectionAttempt & { readonly state: string }): Promise<void> {
  const taken = await context.database
    .deleteFrom("authorization_request")
    .where("user_id", "=", attempt.userId)
    .where("provider", "=", attempt.provider)
    .where("state", "=", attempt.state)
    .where("session_id", "=", attempt.sessionId)
    .where("expires_at", ">", context.clock.now())
    .returning("state")
    .executeTakeFirst()
  if (!taken) throw new InvalidRequest("this authorization was not begun here or is too old, connect again", "state")
}

function mapExchangeError(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  if (error.temporary)
    throw new Unavailable("the vendor does not answer, connect again in a moment", RETRY_AFTER_SECONDS, {
      cause: error,
    })
  throw new InvalidRequest("the vendor refused the authorization, connect again", "code", { cause: error })
}

/** Data would be missing silently without all scopes. The grant is ended, unless that would end the one in use. */
async function refuseNarrowGrant(
  context: Context,
  connection: ConnectionId,
  { accessToken, refreshToken }: TokenSet,
  missing: readonly string[],
): Promise<never> {
  const narrow: TakenGrant = { connection, memberId: undefined, accessToken, refreshToken }
  const inUse = await tokenInUse(context, connection)
  if (inUse === undefined) await endGrant(context, narrow)
  else if (inUse !== "unknown") await endReplacedGrant(context, narrow, inUse.accessToken)
  throw new InvalidRequest(
    `the vendor did not grant ${missing.join(" ")}, connect again and allow all of them`,
    "scope",
  )
}

/** Returns the connection's current token. Undefined without a valid one, `unknown` while the vendor does not answer. */
async function tokenInUse(
  context: Context,
  connection: ConnectionId,
): Promise<{ readonly accessToken: string } | "unknown" | undefined> {
  try {
    return { accessToken: await freshAccessToken(context, connection) }
  } catch (error) {
    if (error instanceof AuthorizationRevoked || error instanceof UnreadableSecret) return undefined
    if (!(error instanceof ProviderError)) throw error
    return "unknown"
  }
}

/**
 * Reads the profile before the first record: events find the person by it, so none is lost in between.
 * If the vendor does not answer, the sync reads it later.
 */
async function fetchProfile(
  context: Context,
  { userId, provider }: ConnectionId,
  { accessToken }: TokenSet,
): Promise<NormalizedProfile | undefined> {
  try {
    return await personalAdapterOf(context, { userId, provider }, "person").fetchProfile(accessToken)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.logger.warn(
      { userId, provider, error: error.name, reason: error.message },
      "could not read the profile, the sync will",
    )
    return undefined
  }
}

async function refuseRivals(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
  { data }: NormalizedProfile,
): Promise<void> {
  const rivals = await findRivals(transaction, context, connection, data.providerId)
  if (rivals.length === 0) return
  throw new InvalidRequest(
    `this account at ${connection.provider} is already connected to another account on this server, sign in to that account or disconnect it there first`,
    "member",
  )
}

/** The member is unknown until the profile is stored: it may be another one than before. */
async function upsertConnection(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
): Promise<void> {
  const now = context.clock.now()
  await transaction
    .insertInto("connection")
    .values({
      user_id: connection.userId,
      provider: connection.provider,
      // The `connected` event that follows changes it.
      status: "disconnected",
      status_changed_at: now,
      connected_at: now,
      next_sync_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "provider"]).doUpdateSet((row) => ({
        generation: row("connection.generation", "+", "1"),
        connected_at: now,
        next_sync_at: now,
        member_id: null,
        // Find what changed while disconnected.
        reconciled_at: null,
        retry_after: null,
        failures: 0,
      })),
    )
    .execute()
}

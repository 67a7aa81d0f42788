import { MINUTE_MS } from "@restwell/client/time-units"
import {
  AuthorizationRevoked,
  type NormalizedProfile,
  type OauthAdapter,
  ProviderError,
  RequestRefused,
  type TokenSet,
} from "@restwell/providers"
import { sql } from "kysely"
import { UnreadableSecret } from "../base/encryption.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { Conflict, InvalidRequest, Unavailable } from "../context/errors.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { personTransaction } from "../store/database.ts"
import { endGrant, endReplacedGrant, type InTime, startDeadline, type TakenGrant } from "./end-grant.ts"
import { freshAccessToken } from "./grants.ts"
import { refuseOtherMember } from "./shared-member.ts"
import { type NewGrant, storeConnection } from "./store-connection.ts"
import { oauthAdapterOf, personalAdapterOf } from "./vendor-app.ts"

/** Time for the person at the vendor's page. */
const REQUEST_LIFETIME_MS = 10 * MINUTE_MS
/** More than a person has pages of vendors open. The oldest requests of more end. */
const MOST_REQUESTS = 10

interface ConnectionAttempt extends ConnectionId {
  /** The sign-in that began the attempt. Only the same one may complete it. */
  readonly sessionId: string
  /** Where the vendor sends the person back. The same in both requests. */
  readonly redirectUri: string
}

/** Returns the vendor's consent page. Its `state` is valid once, for ten minutes, in this session. RFC 6749 10.12. @throws {NotFound} */
export async function beginConnection(context: Context, attempt: ConnectionAttempt): Promise<URL> {
  const adapter = oauthAdapterOf(context, attempt.provider)
  const state = adapter.createState()
  const now = context.clock.now()
  await context.database
    .insertInto("authorization_request")
    .values({
      user_id: attempt.userId,
      provider: attempt.provider,
      state,
      session_id: attempt.sessionId,
      expires_at: new Date(now.getTime() + REQUEST_LIFETIME_MS),
    })
    .execute()
  await sql`
    delete from restwell.authorization_request where user_id = ${attempt.userId} and (provider, state) not in (
      select provider, state from restwell.authorization_request
      where user_id = ${attempt.userId} and expires_at > ${now} order by expires_at desc, state limit ${MOST_REQUESTS})
  `.execute(context.database)
  return adapter.authorizeUrl({ state, redirectUri: attempt.redirectUri })
}

const RETRY_AFTER_SECONDS = 30

/**
 * Exchanges the vendor's code, stores the tokens and requests the first sync. Connecting again keeps the connection and its data.
 * A former grant, and one without all scopes, is ended at the vendor. A grant of another account's member is not: that would end the
 * other account's grant. A vendor that does not answer is waited for ten seconds.
 * @returns the status, and whether the vendor has answered since it granted access. Otherwise the connection says why, and the sync tries again
 * @throws {InvalidRequest} when the state is unknown, used or too old, the vendor refuses the code, or scopes are missing
 * @throws {Conflict} when the member is connected to another account, or is not the one of the stored data
 * @throws {Unavailable} when the vendor does not answer
 */
export async function completeConnection(
  context: Context,
  attempt: ConnectionAttempt & { readonly state: string; readonly code: string; readonly scope?: string | undefined },
): Promise<{ readonly status: ConnectionStatus; readonly isAnswering: boolean }> {
  const adapter = oauthAdapterOf(context, attempt.provider)
  await takeState(context, attempt)
  const connection = { userId: attempt.userId, provider: attempt.provider }
  const inTime = startDeadline(context, connection)
  const { code, redirectUri, scope } = attempt
  const exchange = adapter.exchangeCode({ code, redirectUri, scope })
  const answered = await inTime(exchange).catch(mapExchangeErrorOf(adapter))
  const { scopes = [...adapter.scopes, ...(adapter.optionalScopes ?? [])] } = answered
  const tokens: TokenSet = { ...answered, scopes }
  const missing = adapter.scopes.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) await refuseNarrowGrant(context, { connection, tokens, missing, inTime })
  const read = await readProfile(context, { connection, tokens, inTime })
  const profile = read instanceof ProviderError ? undefined : read
  const storing = personTransaction(context.database, connection.userId, async (transaction) => {
    if (profile) await refuseOtherMember(transaction, context, connection, profile)
    return storeConnection(transaction, context, { connection, tokens, read })
  })
  const { status, replaced } = await storing.catch(async (error: unknown) => {
    if (error instanceof Conflict) await endUnwanted(context, { connection, tokens, inTime }, profile)
    throw error
  })
  await context.jobs.requestSync(connection)
  for (const grant of replaced) await endReplacedGrant(context, grant, { present: tokens.accessToken, inTime })
  return { status, isAnswering: profile !== undefined }
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

const mapExchangeErrorOf =
  ({ collections }: OauthAdapter) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderError)) throw error
    if (error.temporary)
      throw new Unavailable("the vendor does not answer, connect again in a moment", RETRY_AFTER_SECONDS, {
        cause: error,
      })
    const isForbidden = error instanceof RequestRefused && error.isForbidden
    const what = isForbidden ? "the vendor does not allow it yet" : "the vendor refused the authorization"
    const step = isForbidden ? collections.allowStep : "connect again"
    throw new InvalidRequest(`${what}, ${step.charAt(0).toLowerCase()}${step.slice(1)}`, "code", { cause: error })
  }

/** What the vendor has just given, and how long it is waited for. */
interface GivenGrant extends NewGrant {
  readonly inTime: InTime
}

/** Data would be missing silently without all scopes. The grant is ended, unless that would end the one in use. */
async function refuseNarrowGrant(
  context: Context,
  { connection, tokens, missing, inTime }: GivenGrant & { readonly missing: readonly string[] },
): Promise<never> {
  const { accessToken, refreshToken } = tokens
  const narrow: TakenGrant = { connection, memberId: undefined, accessToken, refreshToken }
  const inUse = await tokenInUse(context, connection, inTime)
  if (inUse === undefined) await endGrant(context, narrow, inTime)
  else if (inUse !== "unknown") await endReplacedGrant(context, narrow, { present: inUse.accessToken, inTime })
  throw new InvalidRequest(
    `the vendor did not grant ${missing.join(" ")}, connect again and allow all of them`,
    "scope",
  )
}

/** Nobody uses this grant. It stays at the vendor if another account is connected to the member. */
const endUnwanted = (
  context: Context,
  { connection, tokens: { accessToken, refreshToken }, inTime }: GivenGrant,
  profile: NormalizedProfile | undefined,
): Promise<void> =>
  endGrant(context, { connection, memberId: profile?.data.providerId, accessToken, refreshToken }, inTime)

/** Returns the connection's current token. Undefined without a valid one, `unknown` while the vendor does not answer. */
async function tokenInUse(
  context: Context,
  connection: ConnectionId,
  inTime: InTime,
): Promise<{ readonly accessToken: string } | "unknown" | undefined> {
  try {
    return { accessToken: await inTime(freshAccessToken(context, connection)) }
  } catch (error) {
    if (error instanceof AuthorizationRevoked || error instanceof UnreadableSecret) return undefined
    if (!(error instanceof ProviderError)) throw error
    return "unknown"
  }
}

/**
 * Reads the profile before the first record: events find the person by it, so none is lost in between.
 * @returns the error of a vendor that does not give it. Then the sync reads it later
 */
async function readProfile(
  context: Context,
  { connection, tokens, inTime }: GivenGrant,
): Promise<NormalizedProfile | ProviderError> {
  try {
    return await inTime(personalAdapterOf(context, connection, "person").fetchProfile(tokens.accessToken))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const fields = { ...connection, error: error.name, reason: error.message }
    context.logger.warn(fields, "could not read the profile, the sync will")
    return error
  }
}

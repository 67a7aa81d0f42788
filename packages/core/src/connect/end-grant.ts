// Ends grants at the vendor: after a disconnect, a replacement or a deletion. What a person's browser waits for is limited in time, because
// the limits of single calls add up to a minute.
import {
  AccessTokenRejected,
  AuthorizationRevoked,
  type OauthAdapter,
  ProviderError,
  RequestRefused,
  VendorUnavailable,
} from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { UnreadableSecret } from "../base/encryption.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { queueBatch } from "../outbox/batch-events.ts"
import { type Database, personTransaction } from "../store/database.ts"
import { hasArchives } from "../store/statements/project-archives.ts"
import { wipeRecords } from "../store/statements/write-records.ts"
import { applyEvent, isEnded } from "./connection-status.ts"
import { type Grant, isExpired, openAccessToken, openRefreshToken } from "./grants.ts"
import { isMemberShared } from "./shared-member.ts"

/** Longest time that a person waits for the vendor, milliseconds. */
const LONGEST_MS = 10_000

/**
 * Returns what a call returns, unless the time is over. The calls of one deadline take no longer together.
 * @throws {VendorUnavailable} when the time is over. The call ends by its own limits, and the log has its error
 */
export type InTime = <Result>(call: Promise<Result>) => Promise<Result>

export function startDeadline({ logger }: Pick<Context, "logger">, connection: ConnectionId): InTime {
  const signal = AbortSignal.timeout(LONGEST_MS)
  return async (call) => {
    const over = Promise.withResolvers<never>()
    const stop = () => {
      call.catch((error: unknown) => logger.warn({ ...connection, err: error }, "a call took too long and failed"))
      over.reject(new VendorUnavailable(`the vendor did not answer within ${LONGEST_MS / 1000} seconds`))
    }
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    return Promise.race([call, over.promise]).finally(() => signal.removeEventListener("abort", stop))
  }
}

/** A refresh under the row lock takes less than this, and no connection is silent for so long. */
const LONGEST_REFRESH = "50s"

/** What the end of a grant needs. */
export type GrantContext = Pick<Context, "database" | "clock" | "logger" | "cipher" | "adaptersFor">

/** A pair of tokens that is no longer stored, so nobody else uses it. */
export interface TakenGrant {
  readonly connection: ConnectionId
  /** The vendor's id of the person who gave it. Undefined until the profile has been read. */
  readonly memberId: string | undefined
  /** Undefined once it has expired. */
  readonly accessToken: string | undefined
  readonly refreshToken: string | undefined
}

/**
 * Deletes a person's grants, all or one provider's, and returns them for a last call to the vendors. Waits for a refresh in progress,
 * so the pair is the newest. A later refresh finds no grant. Grants that cannot be decrypted are left out.
 */
export async function takeGrants(
  transaction: Transaction<Database>,
  context: GrantContext,
  { userId, provider }: { readonly userId: string; readonly provider?: string },
): Promise<TakenGrant[]> {
  await sql`set local statement_timeout = ${sql.lit(LONGEST_REFRESH)}`.execute(transaction)
  const taking = transaction
    .deleteFrom("vendor_grant as g")
    .using("connection as c")
    .whereRef("c.user_id", "=", "g.user_id")
    .whereRef("c.provider", "=", "g.provider")
    .where("g.user_id", "=", userId)
  const grants = await (provider === undefined ? taking : taking.where("g.provider", "=", provider))
    .returningAll("g")
    .returning("c.member_id")
    .execute()
  return grants.flatMap(({ member_id: memberId, ...grant }) => openGrant(context, grant, memberId ?? undefined))
}

function openGrant(context: GrantContext, grant: Grant, memberId: string | undefined): TakenGrant[] {
  const connection = { userId: grant.user_id, provider: grant.provider }
  try {
    const accessToken = isExpired(context, grant.expires_at)
      ? undefined
      : openAccessToken(context, connection, grant).value
    return [{ connection, memberId, accessToken, refreshToken: openRefreshToken(context, connection, grant) }]
  } catch (err) {
    if (!(err instanceof UnreadableSecret)) throw err
    context.logger.warn({ ...connection, err }, "could not decrypt a vendor's tokens")
    return []
  }
}

/**
 * Ends a grant at the vendor, best effort, unless another account is connected to the same member: a vendor ends grants by person and
 * app. A vendor also accepts the revocation of an unknown access token, so an access token that ended early would leave the grant alive.
 * A refresh and a second revocation end it.
 */
export async function endGrant(context: GrantContext, grant: TakenGrant, inTime?: InTime): Promise<void> {
  const { connection, accessToken, refreshToken } = grant
  await bestEffort({ context, connection, inTime }, async (adapter) => {
    const memberId = grant.memberId ?? (await readMemberOf(adapter, accessToken))
    if (await isMemberShared(context, connection, memberId))
      return context.logger.info(connection, "another account may use the grant, so it was not ended at the vendor")
    if (accessToken !== undefined) await adapter.revokeAccess(accessToken)
    if (refreshToken === undefined) return
    const renewed = await adapter.refreshTokens(refreshToken)
    await adapter.revokeAccess(renewed.accessToken)
  })
}

/**
 * Ends a replaced grant if it belongs to another member at the vendor, and no other account is connected to that one. A vendor ends grants
 * by person and app, so ending a grant of the same member would end the new one too.
 * @param present an access token of the grant that stays
 */
export async function endReplacedGrant(
  context: GrantContext,
  replaced: TakenGrant,
  { present, inTime }: { readonly present: string; readonly inTime: InTime },
): Promise<void> {
  const { connection, refreshToken } = replaced
  await bestEffort({ context, connection, inTime }, async (adapter) => {
    const renew = async (): Promise<string | undefined> =>
      refreshToken === undefined ? undefined : (await adapter.refreshTokens(refreshToken)).accessToken
    let accessToken = replaced.accessToken ?? (await renew())
    if (accessToken === undefined) return
    const owner = await readMember(adapter, accessToken).catch(async (error: unknown) => {
      if (!(error instanceof AccessTokenRejected)) throw error
      accessToken = await renew()
      return accessToken === undefined ? undefined : readMember(adapter, accessToken)
    })
    if (owner === undefined || accessToken === undefined) return
    if (owner === (await readMember(adapter, present)) || (await isMemberShared(context, connection, owner))) return
    await adapter.revokeAccess(accessToken)
  })
}

/** Returns the vendor's id of the person who gave a grant. */
const readMember = async (adapter: OauthAdapter, accessToken: string): Promise<string> =>
  (await adapter.fetchProfile(accessToken)).data.providerId

/** Returns the member, or undefined if the token is not valid or does not allow reading the profile. */
async function readMemberOf(adapter: OauthAdapter, accessToken: string | undefined): Promise<string | undefined> {
  if (accessToken === undefined) return undefined
  try {
    return await readMember(adapter, accessToken)
  } catch (error) {
    if (error instanceof AccessTokenRejected || error instanceof RequestRefused) return undefined
    throw error
  }
}

interface Effort {
  readonly context: GrantContext
  readonly connection: TakenGrant["connection"]
  /** @default a deadline of its own */
  readonly inTime: InTime | undefined
}

/** A person waits for it, so a vendor that does not answer in time is not waited for: the call goes on without the person. */
async function bestEffort(
  { context, connection, inTime = startDeadline(context, connection) }: Effort,
  call: (adapter: OauthAdapter) => Promise<void>,
): Promise<void> {
  const adapter = context.adaptersFor("person", connection.userId).get(connection.provider)
  try {
    // No call ends a key.
    if (adapter?.access === "oauth") await inTime(call(adapter))
  } catch (error) {
    if (error instanceof AuthorizationRevoked) return
    if (!(error instanceof ProviderError)) throw error
    context.logger.warn({ ...connection, error: error.name }, "could not end the grant at the vendor")
  }
}

/**
 * Ends a connection with its tokens. Stored records stay for a later connect, or are wiped.
 * What archives brought stays and answers alone.
 * The grant is ended at the vendor too. If the vendor does not answer, the connection ends all the same.
 * @throws {NotFound} when there is no such connection
 */
export async function disconnect(
  context: Context,
  { wipeData, ...connection }: ConnectionId & { readonly wipeData: boolean },
): Promise<void> {
  const taken = await personTransaction(context.database, connection.userId, async (transaction) => {
    // Lock the grant before the connection, as everywhere, so that two transactions cannot deadlock.
    const grants = await takeGrants(transaction, context, connection)
    const stored = await transaction
      .updateTable("connection")
      .set((row) => ({ generation: row("generation", "+", "1") }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("status")
      .executeTakeFirst()
    // Records kept at an earlier disconnect can still be wiped.
    if (!stored || (isEnded(stored.status) && !wipeData))
      throw new NotFound(`provider ${connection.provider} is not connected`)
    await applyEvent(transaction, context, connection, { type: "disconnected" })
    if (wipeData) await wipeRecords(transaction, connection)
    if (await hasArchives(transaction, connection))
      await applyEvent(transaction, context, connection, { type: "archive_stored" })
    if (wipeData)
      await queueBatch(transaction, context, connection.userId, { mode: "backfill", sources: [connection.provider] })
    return grants
  })
  for (const grant of taken) await endGrant(context, grant)
}

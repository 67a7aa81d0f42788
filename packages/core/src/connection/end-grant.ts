import {
  AccessTokenRejected,
  AuthorizationRevoked,
  ProviderError,
  RequestRefused,
  type VendorAdapter,
} from "@restwell/providers"
import { isMemberShared } from "./shared-member.ts"
import type { GrantContext, TakenGrant } from "./take-grants.ts"

/**
 * Ends a grant at the vendor, best effort, unless another account is connected to the same member: a vendor ends grants by person and
 * app. A vendor also accepts the revocation of an unknown access token, so an access token that ended early would leave the grant alive.
 * A refresh and a second revocation end it.
 */
export async function endGrant(context: GrantContext, grant: TakenGrant): Promise<void> {
  const { connection, accessToken, refreshToken } = grant
  await bestEffort(context, connection, async (adapter) => {
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
export async function endReplacedGrant(context: GrantContext, replaced: TakenGrant, present: string): Promise<void> {
  const { connection, refreshToken } = replaced
  await bestEffort(context, connection, async (adapter) => {
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
const readMember = async (adapter: VendorAdapter, accessToken: string): Promise<string> =>
  (await adapter.fetchProfile(accessToken)).data.providerId

/** Returns the member, or undefined if the token is not valid or does not allow reading the profile. */
async function readMemberOf(adapter: VendorAdapter, accessToken: string | undefined): Promise<string | undefined> {
  if (accessToken === undefined) return undefined
  try {
    return await readMember(adapter, accessToken)
  } catch (error) {
    if (error instanceof AccessTokenRejected || error instanceof RequestRefused) return undefined
    throw error
  }
}

async function bestEffort(
  context: GrantContext,
  connection: TakenGrant["connection"],
  call: (adapter: VendorAdapter) => Promise<void>,
): Promise<void> {
  const adapter = context.adaptersFor("person", connection.userId).get(connection.provider)
  try {
    if (adapter) await call(adapter)
  } catch (error) {
    if (error instanceof AuthorizationRevoked) return
    if (!(error instanceof ProviderError)) throw error
    context.logger.warn({ ...connection, error: error.name }, "could not end the grant at the vendor")
  }
}

import { isDeepStrictEqual } from "node:util"
import { AccessTokenRejected, AuthorizationRevoked, ProviderError, type VendorAdapter } from "@restwell/providers"
import type { Context } from "../context/context.ts"
import type { TakenGrant } from "./take-grants.ts"

/**
 * Ends a grant at the vendor, best effort. A vendor also accepts the revocation of an unknown access token, so an access token that
 * ended early would leave the grant alive. A refresh and a second revocation end it.
 */
export async function endGrant(context: Context, { connection, accessToken, refreshToken }: TakenGrant): Promise<void> {
  await bestEffort(context, connection, async (adapter) => {
    if (accessToken !== undefined) await adapter.revokeAccess(accessToken)
    if (refreshToken === undefined) return
    const renewed = await adapter.refreshTokens(refreshToken)
    await adapter.revokeAccess(renewed.accessToken)
  })
}

/**
 * Ends a replaced grant if it belongs to another account at the vendor. A vendor ends grants by person and app, so ending a grant of
 * the same account would end the new one too.
 * @param present an access token of the grant that stays
 */
export async function endReplacedGrant(context: Context, replaced: TakenGrant, present: string): Promise<void> {
  const { connection, refreshToken } = replaced
  await bestEffort(context, connection, async (adapter) => {
    const renew = async (): Promise<string | undefined> =>
      refreshToken === undefined ? undefined : (await adapter.refreshTokens(refreshToken)).accessToken
    let accessToken = replaced.accessToken ?? (await renew())
    if (accessToken === undefined) return
    const owner = await readOwner(adapter, accessToken).catch(async (error: unknown) => {
      if (!(error instanceof AccessTokenRejected)) throw error
      accessToken = await renew()
      return accessToken === undefined ? undefined : readOwner(adapter, accessToken)
    })
    if (owner === undefined || accessToken === undefined) return
    if (!isDeepStrictEqual(owner, await readOwner(adapter, present))) await adapter.revokeAccess(accessToken)
  })
}

/** Returns the profile that identifies the account of a grant. */
const readOwner = async (adapter: VendorAdapter, accessToken: string) => (await adapter.fetchProfile(accessToken)).raw

async function bestEffort(
  context: Context,
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

import { isDeepStrictEqual } from "node:util"
import { AccessTokenRejected, AuthorizationRevoked, ProviderError, type VendorAdapter } from "@restwell/providers"
import type { Context } from "../context/context.ts"
import type { TakenGrant } from "./vendor-grant.ts"

/**
 * Ends a grant at the vendor, whatever state its tokens are in. Best effort: a vendor that does not answer cannot keep a person connected
 * here. A vendor takes the end of a grant that it no longer knows without a word, and so also that of an access token which died early:
 * only the refresh token tells whether the grant lives.
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
 * Ends a grant that another has taken the place of, when it is another account's at the vendor. Grants of one account are left to end
 * together: a vendor ends them by person and app, so the end of one would be the end of the other.
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

/** Who gave a grant: profiles that are read at one moment are equal when they are one account's. */
const readOwner = async (adapter: VendorAdapter, accessToken: string) => (await adapter.fetchProfile(accessToken)).raw

async function bestEffort(
  context: Context,
  connection: TakenGrant["connection"],
  call: (adapter: VendorAdapter) => Promise<void>,
): Promise<void> {
  const adapter = context.adapters.get(connection.provider)
  try {
    if (adapter) await call(adapter)
  } catch (error) {
    if (error instanceof AuthorizationRevoked) return
    if (!(error instanceof ProviderError)) throw error
    context.logger.warn({ ...connection, error: error.name }, "the vendor was not told that access ended")
  }
}

import type { TokenProvider } from "@restwell/client"
import type { VendorAdapter } from "../contract/adapter.ts"
import { AccessTokenRejected, AuthorizationRevoked } from "../contract/errors.ts"

/** Makes a call with an access token that is good when it starts. */
export type WithToken = <T>(call: (accessToken: string) => Promise<T>) => Promise<T>

/**
 * Returns a way to make calls: the token is refreshed when it has expired, and once when the vendor rejects it.
 * Calls at the same time share one refresh, since the second of two would present a refresh token the first used up.
 */
export function createTokenSession(adapter: VendorAdapter, tokens: TokenProvider, now: () => Date): WithToken {
  let refreshing: Promise<void> | undefined
  const refresh = () => {
    refreshing ??= renew(adapter, tokens, now).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  return async (call) => {
    if (await tokens.isExpired()) await refresh()
    const accessToken = await tokens.getAccessToken()
    try {
      return await call(accessToken)
    } catch (error) {
      if (!(error instanceof AccessTokenRejected)) throw error
      // Another call, or another process, may have renewed it since.
      if ((await tokens.getAccessToken()) === accessToken) await refresh()
      return call(await tokens.getAccessToken())
    }
  }
}

async function renew(adapter: VendorAdapter, tokens: TokenProvider, now: () => Date): Promise<void> {
  const refreshToken = await tokens.getRefreshToken()
  if (refreshToken === null)
    throw new AuthorizationRevoked("There is no refresh token: the person has to connect again")
  try {
    const { accessToken, refreshToken: next, expiresInSeconds } = await adapter.refreshTokens(refreshToken)
    await tokens.updateTokens(accessToken, next, new Date(now().getTime() + expiresInSeconds * 1000))
  } catch (error) {
    // Revoked only if nobody else used this refresh token meanwhile; otherwise their new pair is stored, and good.
    if (error instanceof AuthorizationRevoked && (await tokens.getRefreshToken()) !== refreshToken) return
    throw error
  }
}

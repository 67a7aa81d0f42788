import type { TokenProvider } from "@restwell/client"
import type { VendorAdapter } from "../contract/adapter.ts"
import { AccessTokenRejected, AuthorizationRevoked } from "../contract/errors.ts"

/** Makes a call with a valid access token. */
export type WithToken = <T>(call: (accessToken: string) => Promise<T>) => Promise<T>

/**
 * Returns a way to make calls with a person's token. An expired token is refreshed first. A rejected one is refreshed once.
 * Simultaneous calls share one refresh: a refresh token works only once.
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
      // Another call or process may have refreshed it meanwhile.
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
    // Another process may have used this refresh token. Then its new pair is stored and valid.
    if (error instanceof AuthorizationRevoked && (await tokens.getRefreshToken()) !== refreshToken) return
    throw error
  }
}

import type { TokenProvider } from "@restwell/client"
import type { TokenSet } from "../src/index.ts"

/** Tokens in memory, and the log of changes to them. */
export interface StoredTokens extends TokenProvider {
  accessToken: string
  refreshToken: string | null
  expired: boolean
  readonly updates: { readonly expiresAt: Date | undefined }[]
}

/** Returns a store that holds this pair. */
export function storedTokens(tokens: Pick<TokenSet, "accessToken" | "refreshToken">): StoredTokens {
  const store: StoredTokens = {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken ?? null,
    expired: false,
    updates: [],
    getAccessToken: async () => store.accessToken,
    getRefreshToken: async () => store.refreshToken,
    isExpired: async () => store.expired,
    updateTokens: async (accessToken, refreshToken, expiresAt) => {
      store.accessToken = accessToken
      store.refreshToken = refreshToken ?? store.refreshToken
      store.expired = false
      store.updates.push({ expiresAt })
    },
  }
  return store
}

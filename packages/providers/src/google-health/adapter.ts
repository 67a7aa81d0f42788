import type { OauthAdapter, OauthAdapterOptions } from "../contract/adapter.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { plausibleProfile } from "../normalize/plausible.ts"
import { getIdentity, refusalOf } from "./api.ts"
import { GOOGLE_HEALTH_COLLECTIONS } from "./collections.ts"
import { rejoined } from "./join.ts"
import { GOOGLE_HEALTH, normalizeProfile, readGoogleRecords } from "./normalize.ts"
import {
  authorizeUrl,
  createState,
  exchangeCode,
  GOOGLE_HEALTH_OPTIONAL_SCOPES,
  GOOGLE_HEALTH_SCOPES,
  refreshTokens,
  revokeAccess,
} from "./oauth.ts"
import { readPage, readRecord, readSamples } from "./read.ts"
import { GOOGLE_HEALTH_SYNC_POLICY, WINDOW_SECONDS } from "./sync-policy.ts"

/** Returns the adapter of the Google Health API v4. It makes no call until it is used. */
export function createGoogleHealthAdapter(options: OauthAdapterOptions): OauthAdapter {
  const http = withDefaults(options)
  const client = createVendorClient({ ...http, readLimits: () => ({}), windowSeconds: WINDOW_SECONDS, refusalOf })
  return {
    provider: GOOGLE_HEALTH,
    access: "oauth",
    scopes: GOOGLE_HEALTH_SCOPES,
    optionalScopes: GOOGLE_HEALTH_OPTIONAL_SCOPES,
    syncPolicy: GOOGLE_HEALTH_SYNC_POLICY,
    collections: GOOGLE_HEALTH_COLLECTIONS,
    createState,
    authorizeUrl: (input) => authorizeUrl(http, input),
    exchangeCode: (input) => exchangeCode(http, input),
    refreshTokens: (refreshToken) => refreshTokens(http, refreshToken),
    revokeAccess: (accessToken) => revokeAccess(http, accessToken),
    fetchPage: (accessToken, request) => readPage({ client, accessToken }, request, options.now()),
    fetchRecord: (accessToken, input) => readRecord({ client, accessToken }, input, options.now()),
    rejoin: (kind, rejoins) => readGoogleRecords(kind, rejoins.map(rejoined), options.now()),
    async fetchProfile(accessToken) {
      const { identity, raw } = await getIdentity({ client, accessToken })
      return plausibleProfile(normalizeProfile(identity, raw))
    },
    fetchSamples: (accessToken, window) => readSamples({ client, accessToken }, window, options.now()),
  }
}

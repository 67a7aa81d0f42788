import type { OauthAdapter, OauthAdapterOptions } from "../contract/adapter.ts"
import { sharingCalls } from "../http/sharing-calls.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { plausibleProfile } from "../normalize/plausible.ts"
import { authorizationOf } from "./api.ts"
import { WITHINGS_COLLECTIONS } from "./collections.ts"
import { readMeasures } from "./measures.ts"
import { rejoined } from "./nights.ts"
import { readWithingsRecords, WITHINGS } from "./normalize.ts"
import {
  authorizeUrl,
  createState,
  exchangeCode,
  refreshTokens,
  revokeAccess,
  WITHINGS_OPTIONAL_SCOPES,
} from "./oauth.ts"
import { readPage, readProfile, readRecord } from "./read.ts"
import { meaningOf } from "./status.ts"
import { WINDOW_SECONDS, WITHINGS_SYNC_POLICY } from "./sync-policy.ts"

/** Returns the adapter of Withings' API. It makes no call until it is used. */
export function createWithingsAdapter(options: OauthAdapterOptions): OauthAdapter {
  const http = withDefaults(options)
  const client = sharingCalls(
    createVendorClient({
      ...http,
      meaningOf,
      authorizationOf,
      // Only a refusal says that the limit is used up.
      readLimits: () => ({}),
      windowSeconds: WINDOW_SECONDS,
    }),
  )
  return {
    provider: WITHINGS,
    access: "oauth",
    // Each may be refused: what it is for is then a gap.
    scopes: [],
    optionalScopes: WITHINGS_OPTIONAL_SCOPES,
    syncPolicy: WITHINGS_SYNC_POLICY,
    collections: WITHINGS_COLLECTIONS,
    createState,
    authorizeUrl: (input) => authorizeUrl(http, input),
    exchangeCode: (input) => exchangeCode(http, input),
    refreshTokens: (refreshToken) => refreshTokens(http, refreshToken),
    revokeAccess: (accessToken) => revokeAccess(http, accessToken),
    fetchPage: (accessToken, request) => readPage({ client, accessToken }, request, options.now()),
    fetchRecord: (accessToken, input) => readRecord({ client, accessToken }, input, options.now()),
    rejoin: (kind, rejoins) => readWithingsRecords(kind, rejoins.map(rejoined), options.now()),
    fetchProfile: async (accessToken) => plausibleProfile(await readProfile({ client, accessToken }, options.now())),
    fetchSamples: (accessToken, window) => readMeasures({ client, accessToken }, window, options.now()),
  }
}

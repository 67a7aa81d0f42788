import type { OauthAdapter, OauthAdapterOptions } from "../contract/adapter.ts"
import { sharingCalls } from "../http/sharing-calls.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { plausibleProfile } from "../normalize/plausible.ts"
import { authorizationOf, deleteUser, getPhysicalInfo, memberIdOf } from "./api.ts"
import { POLAR_COLLECTIONS } from "./collections.ts"
import { normalizeProfile, POLAR, readPolarRecords } from "./normalize.ts"
import { authorizeUrl, createState, exchangeCode, POLAR_SCOPES, refreshTokens } from "./oauth.ts"
import { readPage, readRecord, rejoined } from "./read.ts"
import { POLAR_SYNC_POLICY, readPolarLimits, WINDOW_SECONDS } from "./sync-policy.ts"
import { createPolarSubscriber, readPolarWebhook } from "./webhook.ts"

/** Returns the adapter of Polar's AccessLink v3. It makes no call until it is used. */
export function createPolarAdapter(options: OauthAdapterOptions): OauthAdapter {
  const http = withDefaults(options)
  const client = sharingCalls(
    createVendorClient({
      ...http,
      authorizationOf,
      readLimits: readPolarLimits,
      windowSeconds: WINDOW_SECONDS,
    }),
  )
  return {
    provider: POLAR,
    access: "oauth",
    scopes: POLAR_SCOPES,
    syncPolicy: POLAR_SYNC_POLICY,
    collections: POLAR_COLLECTIONS,
    createState,
    authorizeUrl: (input) => authorizeUrl(http, input),
    exchangeCode: (input) => exchangeCode(http, input),
    refreshTokens,
    revokeAccess: (accessToken) => deleteUser({ client, accessToken }),
    fetchPage: (accessToken, request) => readPage({ client, accessToken }, request, options.now()),
    fetchRecord: (accessToken, input) => readRecord({ client, accessToken }, input, options.now()),
    rejoin: (kind, rejoins) => readPolarRecords(kind, rejoins.map(rejoined), options.now()),
    async fetchProfile(accessToken) {
      const { info, raw } = await getPhysicalInfo({ client, accessToken })
      return plausibleProfile(normalizeProfile(memberIdOf(accessToken), info, raw))
    },
    readWebhook: readPolarWebhook,
    webhookSubscriber: createPolarSubscriber(http),
  }
}

import type { OauthAdapter, OauthAdapterOptions } from "../contract/adapter.ts"
import type { Withheld } from "../contract/withheld.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { plausibleProfile } from "../normalize/plausible.ts"
import { getPersonalInfo, type OuraAccess } from "./api.ts"
import { OURA_COLLECTIONS } from "./collections.ts"
import { rejoined } from "./join.ts"
import { normalizeProfile, OURA, readOuraRecords } from "./normalize.ts"
import {
  authorizeUrl,
  createState,
  exchangeCode,
  OURA_OPTIONAL_SCOPES,
  OURA_SCOPES,
  refreshTokens,
  revokeAccess,
} from "./oauth.ts"
import { readPage, readRecord } from "./read.ts"
import { readHeartRates } from "./samples.ts"
import { OURA_SYNC_POLICY, readOuraLimits, WINDOW_SECONDS } from "./sync-policy.ts"
import { readTags } from "./tags.ts"
import { createOuraSubscriber, readOuraWebhook } from "./webhook.ts"

/** Returns the adapter of Oura's API v2. It makes no call until it is used. */
export function createOuraAdapter(options: OauthAdapterOptions): OauthAdapter {
  const http = { portal: "current" as const, ...withDefaults(options) }
  const client = createVendorClient({ ...http, readLimits: readOuraLimits, windowSeconds: WINDOW_SECONDS })
  const accessOf = (accessToken: string, { withheld = [] }: Withheld): OuraAccess => ({ client, accessToken, withheld })
  return {
    provider: OURA,
    access: "oauth",
    scopes: OURA_SCOPES,
    optionalScopes: OURA_OPTIONAL_SCOPES,
    syncPolicy: OURA_SYNC_POLICY,
    collections: OURA_COLLECTIONS,
    createState,
    authorizeUrl: (input) => authorizeUrl(http, input),
    exchangeCode: (input) => exchangeCode(http, input),
    refreshTokens: (refreshToken) => refreshTokens(http, refreshToken),
    revokeAccess: (accessToken) => revokeAccess(http, accessToken),
    fetchPage: (accessToken, request) => readPage(accessOf(accessToken, request), request, options.now()),
    fetchRecord: (accessToken, input) => readRecord(accessOf(accessToken, input), input, options.now()),
    rejoin: (kind, rejoins) => readOuraRecords(kind, rejoins.map(rejoined), options.now()),
    async fetchProfile(accessToken) {
      const { info, raw } = await getPersonalInfo(accessOf(accessToken, {}))
      return plausibleProfile(normalizeProfile(info, raw))
    },
    fetchJournal: (accessToken, window) => readTags(accessOf(accessToken, window), window),
    fetchSamples: (accessToken, window) => readHeartRates(accessOf(accessToken, window), window, options.now()),
    readWebhook: (request) => readOuraWebhook(options.clientSecret, request),
    webhookSubscriber: createOuraSubscriber(http),
  }
}

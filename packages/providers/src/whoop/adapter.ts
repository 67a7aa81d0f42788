import type { OauthAdapter, OauthAdapterOptions } from "../contract/adapter.ts"
import { AccessTokenRejected } from "../contract/errors.ts"
import type { Page } from "../contract/records.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { known } from "../normalize/known.ts"
import { plausibleProfile } from "../normalize/plausible.ts"
import { deleteAccess, getProfile, getRecord, listRecords } from "./api.ts"
import { WHOOP_COLLECTIONS } from "./collections.ts"
import { normalizeProfile, readWhoopRecords, WHOOP } from "./normalize.ts"
import { authorizeUrl, createState, exchangeCode, refreshTokens, WHOOP_SCOPES } from "./oauth.ts"
import { readWhoopLimits, WHOOP_SYNC_POLICY, WINDOW_SECONDS } from "./sync-policy.ts"
import { readWhoopWebhook } from "./webhook.ts"

/** WHOOP's address. @see https://developer.whoop.com/api */
export const WHOOP_BASE_URL = "https://api.prod.whoop.com"

/** Returns the adapter of WHOOP's API v2. It makes no call until it is used. */
export function createWhoopAdapter(options: OauthAdapterOptions): OauthAdapter {
  const http = withDefaults(options)
  const client = createVendorClient({ ...http, readLimits: readWhoopLimits, windowSeconds: WINDOW_SECONDS })
  return {
    provider: WHOOP,
    access: "oauth",
    scopes: WHOOP_SCOPES,
    syncPolicy: WHOOP_SYNC_POLICY,
    collections: WHOOP_COLLECTIONS,
    createState,
    authorizeUrl: (input) => authorizeUrl(http, input),
    exchangeCode: (input) => exchangeCode(http, input),
    refreshTokens: (refreshToken) => refreshTokens(http, refreshToken),
    revokeAccess: (accessToken) => deleteAccess(client, accessToken).catch(ignoreEndedGrant),
    async fetchPage(accessToken, request): Promise<Page> {
      const page = await listRecords(client, accessToken, request)
      return { ...readWhoopRecords(request.kind, page.records), ...known({ nextCursor: page.nextToken }) }
    },
    async fetchRecord(accessToken, input): Promise<Page> {
      const record = await getRecord(client, accessToken, input)
      return readWhoopRecords(input.kind, record === undefined ? [] : [record])
    },
    async fetchProfile(accessToken) {
      const { profile, body, raw } = await getProfile(client, accessToken)
      return plausibleProfile(normalizeProfile(profile, body, raw))
    },
    readWebhook: (request) => readWhoopWebhook(options.clientSecret, request),
  }
}

/** WHOOP rejects the token of a grant that has ended, and an older token of one that has not: refresh before revoking. */
function ignoreEndedGrant(error: unknown): void {
  if (!(error instanceof AccessTokenRejected)) throw error
}

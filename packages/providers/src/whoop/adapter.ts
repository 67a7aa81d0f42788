import { setTimeout as timer } from "node:timers/promises"
import type { Page, VendorAdapter } from "../contract/adapter.ts"
import type { AdapterOptions } from "../contract/adapter-options.ts"
import { AccessTokenRejected } from "../contract/errors.ts"
import { DEFAULT_MAX_BODY_BYTES, DEFAULT_TIMEOUT_MS } from "../http/exchange.ts"
import { createVendorClient } from "../http/vendor-client.ts"
import { known } from "../normalize/known.ts"
import { deleteAccess, getProfile, getRecord, listRecords } from "./api.ts"
import { readWhoopLimits, WINDOW_SECONDS } from "./limits.ts"
import { normalizeProfile, WHOOP } from "./normalize.ts"
import { authorizeUrl, createState, exchangeCode, refreshTokens, WHOOP_SCOPES } from "./oauth.ts"
import { readRecords } from "./parse.ts"
import { readWhoopWebhook } from "./webhook.ts"

/** Where WHOOP is. @see https://developer.whoop.com/api */
export const WHOOP_BASE_URL = "https://api.prod.whoop.com"

/** Returns the adapter of WHOOP's API v2. It calls nothing until it is used. */
export function createWhoopAdapter(options: AdapterOptions): VendorAdapter {
  const http = {
    timeoutMs: DEFAULT_TIMEOUT_MS,
    maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
    fetch: globalThis.fetch,
    delay: (delayMs: number) => timer(delayMs),
    random: Math.random,
    ...options,
  }
  const client = createVendorClient({ ...http, readLimits: readWhoopLimits, windowSeconds: WINDOW_SECONDS })
  return {
    provider: WHOOP,
    scopes: WHOOP_SCOPES,
    createState,
    authorizeUrl: (input) => authorizeUrl(http, input),
    exchangeCode: (input) => exchangeCode(http, input),
    refreshTokens: (refreshToken) => refreshTokens(http, refreshToken),
    revokeAccess: (accessToken) => deleteAccess(client, accessToken).catch(ignoreEndedGrant),
    async fetchPage(accessToken, request): Promise<Page> {
      const page = await listRecords(client, accessToken, request)
      return { ...readRecords(request.kind, page.records), ...known({ nextCursor: page.nextToken }) }
    },
    async fetchRecord(accessToken, input): Promise<Page> {
      const record = await getRecord(client, accessToken, input)
      return readRecords(input.kind, record === undefined ? [] : [record])
    },
    async fetchProfile(accessToken) {
      const { profile, body, raw } = await getProfile(client, accessToken)
      return normalizeProfile(profile, body, raw)
    },
    readWebhook: (request) => readWhoopWebhook(options.clientSecret, request),
  }
}

/** A token WHOOP no longer knows belongs to a grant that has ended, or to an older pair of one: refresh before revoking. */
function ignoreEndedGrant(error: unknown): void {
  if (!(error instanceof AccessTokenRejected)) throw error
}

import type { AdapterOptions, KeyAdapter } from "../contract/adapter.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { getDay, type UltrahumanAccess } from "./api.ts"
import { ULTRAHUMAN_COLLECTIONS } from "./collections.ts"
import { profileOf } from "./member.ts"
import { ULTRAHUMAN } from "./normalize.ts"
import { knownDate, readPage, readRecord, readSamples } from "./read.ts"
import { ULTRAHUMAN_SYNC_POLICY, WINDOW_SECONDS } from "./sync-policy.ts"

/** Ultrahuman's address. @see https://vision.ultrahuman.com/developer-docs */
export const ULTRAHUMAN_BASE_URL = "https://partner.ultrahuman.com"

/** Returns the adapter of Ultrahuman's API, for personal tokens. It makes no call until it is used. */
export function createUltrahumanAdapter(options: AdapterOptions): KeyAdapter {
  const client = createVendorClient({
    ...withDefaults(options),
    // No "Bearer" before it.
    authorizationOf: (token) => token,
    // Only a 429 says how long to wait.
    readLimits: () => ({}),
    windowSeconds: WINDOW_SECONDS,
  })
  const inFlight: UltrahumanAccess["inFlight"] = new Map()
  const accessOf = (accessToken: string): UltrahumanAccess => ({ client, accessToken, inFlight })
  return {
    access: "key",
    provider: ULTRAHUMAN,
    syncPolicy: ULTRAHUMAN_SYNC_POLICY,
    collections: ULTRAHUMAN_COLLECTIONS,
    fetchPage: (accessToken, request) => readPage(accessOf(accessToken), request, options.now()),
    fetchRecord: (accessToken, input) => readRecord(accessOf(accessToken), input, options.now()),
    async fetchProfile(accessToken) {
      await getDay(accessOf(accessToken), knownDate(options.now()))
      return profileOf(accessToken)
    },
    fetchSamples: (accessToken, window) => readSamples(accessOf(accessToken), window, options.now()),
  }
}

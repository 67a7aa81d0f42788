import type { AdapterOptions, KeyAdapter } from "../contract/adapter.ts"
import { createVendorClient, withDefaults } from "../http/vendor-client.ts"
import { plausibleProfile } from "../normalize/plausible.ts"
import { authorizationOf, getAthlete } from "./api.ts"
import { INTERVALS_COLLECTIONS } from "./collections.ts"
import { INTERVALS, normalizeProfile } from "./normalize.ts"
import { readPage, readRecord, readWeights } from "./read.ts"
import { INTERVALS_SYNC_POLICY, WINDOW_SECONDS } from "./sync-policy.ts"

/** intervals.icu's address. @see https://intervals.icu/api-docs.html */
export const INTERVALS_BASE_URL = "https://intervals.icu"

/** Returns the adapter of intervals.icu's API, for keys of people. It makes no call until it is used. */
export function createIntervalsAdapter(options: AdapterOptions): KeyAdapter {
  const client = createVendorClient({
    ...withDefaults(options),
    authorizationOf,
    // Only a 429 says how long to wait.
    readLimits: () => ({}),
    windowSeconds: WINDOW_SECONDS,
  })
  return {
    access: "key",
    provider: INTERVALS,
    syncPolicy: INTERVALS_SYNC_POLICY,
    collections: INTERVALS_COLLECTIONS,
    fetchPage: (accessToken, request) => readPage({ client, accessToken }, request, options.now()),
    fetchRecord: (accessToken, input) => readRecord({ client, accessToken }, input, options.now()),
    async fetchProfile(accessToken) {
      const { athlete, raw } = await getAthlete({ client, accessToken })
      return plausibleProfile(normalizeProfile(athlete, raw))
    },
    fetchSamples: (accessToken, window) => readWeights({ client, accessToken }, window, options.now()),
  }
}

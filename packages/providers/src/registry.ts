import type { AdapterOptions, VendorAdapter } from "./contract/adapter.ts"
import type { FieldCoverage } from "./contract/coverage.ts"
import type { SyncPolicy } from "./contract/sync-policy.ts"
import type { Bound } from "./normalize/plausible.ts"
import { createOuraAdapter } from "./oura/adapter.ts"
import { OURA_COVERAGE } from "./oura/coverage.ts"
import { OURA_BASE_URL } from "./oura/oauth.ts"
import { OURA_PLAUSIBLE } from "./oura/plausible.ts"
import { OURA_SYNC_POLICY } from "./oura/sync-policy.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./whoop/adapter.ts"
import { WHOOP_COVERAGE } from "./whoop/coverage.ts"
import { WHOOP_PLAUSIBLE } from "./whoop/plausible.ts"
import { WHOOP_SYNC_POLICY } from "./whoop/sync-policy.ts"

/** A vendor that is not configured yet. */
export interface Vendor {
  readonly displayName: string
  /** The vendor's real address. */
  readonly defaultBaseUrl: string
  /** True where operators register the webhook by hand, on the page of their app. */
  readonly registersWebhook: boolean
  /** Where operators find the client id and secret of their app. */
  readonly appsPage: string
  /** True for a vendor with a former portal, whose apps have other addresses. */
  readonly hasLegacyPortal: boolean
  readonly coverage: readonly FieldCoverage[]
  /** Bounds of the vendor's own scales. */
  readonly bounds: readonly Bound[]
  readonly syncPolicy: SyncPolicy
  readonly createAdapter: (options: AdapterOptions) => VendorAdapter
}

/** Every vendor, by the name that prefixes its ids. */
export const VENDORS = {
  whoop: {
    displayName: "WHOOP",
    defaultBaseUrl: WHOOP_BASE_URL,
    appsPage: "developer.whoop.com",
    registersWebhook: true,
    hasLegacyPortal: false,
    coverage: WHOOP_COVERAGE,
    bounds: WHOOP_PLAUSIBLE,
    syncPolicy: WHOOP_SYNC_POLICY,
    createAdapter: createWhoopAdapter,
  },
  oura: {
    displayName: "Oura",
    defaultBaseUrl: OURA_BASE_URL,
    appsPage: "developer.ouraring.com",
    hasLegacyPortal: true,
    registersWebhook: false,
    coverage: OURA_COVERAGE,
    bounds: OURA_PLAUSIBLE,
    syncPolicy: OURA_SYNC_POLICY,
    createAdapter: createOuraAdapter,
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorName = keyof typeof VENDORS

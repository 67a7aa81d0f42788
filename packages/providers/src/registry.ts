import type { AdapterOptions, VendorAdapter } from "./contract/adapter.ts"
import type { FieldCoverage } from "./contract/coverage.ts"
import type { SyncPolicy } from "./contract/sync-policy.ts"
import type { Bound } from "./normalize/plausible.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./whoop/adapter.ts"
import { WHOOP_COVERAGE } from "./whoop/coverage.ts"
import { WHOOP_PLAUSIBLE } from "./whoop/plausible.ts"
import { WHOOP_SYNC_POLICY } from "./whoop/sync-policy.ts"

/** A vendor that is not configured yet. */
export interface Vendor {
  readonly displayName: string
  /** The vendor's real address. */
  readonly defaultBaseUrl: string
  /** Where operators register their app. */
  readonly appsPage: string
  /** True where operators register the webhook by hand, on the page of their app. */
  readonly registersWebhook: boolean
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
    coverage: WHOOP_COVERAGE,
    bounds: WHOOP_PLAUSIBLE,
    syncPolicy: WHOOP_SYNC_POLICY,
    createAdapter: createWhoopAdapter,
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorName = keyof typeof VENDORS

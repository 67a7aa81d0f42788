import type { VendorAdapter } from "./contract/adapter.ts"
import type { AdapterOptions } from "./contract/adapter-options.ts"
import type { FieldCoverage } from "./contract/coverage.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./whoop/adapter.ts"
import { WHOOP_COVERAGE } from "./whoop/coverage.ts"

/** A vendor, before it is configured. */
export interface Vendor {
  /** As people know it. */
  readonly displayName: string
  /** Its real address, where none is configured. */
  readonly defaultBaseUrl: string
  readonly coverage: readonly FieldCoverage[]
  readonly createAdapter: (options: AdapterOptions) => VendorAdapter
}

/** Every vendor, by the name that prefixes its ids. A new one is one folder and one line. */
export const VENDORS = {
  whoop: {
    displayName: "WHOOP",
    defaultBaseUrl: WHOOP_BASE_URL,
    coverage: WHOOP_COVERAGE,
    createAdapter: createWhoopAdapter,
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorName = keyof typeof VENDORS

import type { SeriesType } from "@restwell/client"
import type { AdapterOptions, VendorAdapter } from "./contract/adapter.ts"
import type { FieldCoverage } from "./contract/records.ts"
import type { SeriesCoverage } from "./contract/series.ts"
import type { SyncPolicy } from "./contract/sync-policy.ts"
import type { Bound } from "./normalize/plausible.ts"
import { createOuraAdapter } from "./oura/adapter.ts"
import { OURA_COVERAGE, OURA_SERIES } from "./oura/coverage.ts"
import { OURA_PLAUSIBLE } from "./oura/normalize.ts"
import { OURA_BASE_URL, OURA_OPTIONAL_SCOPES, OURA_SCOPES } from "./oura/oauth.ts"
import { OURA_SYNC_POLICY } from "./oura/sync-policy.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./whoop/adapter.ts"
import { WHOOP_COVERAGE } from "./whoop/coverage.ts"
import { WHOOP_PLAUSIBLE } from "./whoop/normalize.ts"
import { WHOOP_SCOPES } from "./whoop/oauth.ts"
import { WHOOP_SYNC_POLICY } from "./whoop/sync-policy.ts"

/** A vendor that is not configured yet. */
export interface Vendor {
  readonly displayName: string
  /** The vendor's real address. */
  readonly defaultBaseUrl: string
  /** What operators choose for the webhook that they register by hand. Undefined where the service subscribes by itself. */
  readonly webhookNote: string | undefined
  /** Where operators register their app, and find its client id and secret. */
  readonly appsPage: string
  /** How they register it there, in sentences, and the scopes that its form asks for. */
  readonly registration: { readonly steps: readonly string[]; readonly scopes: readonly string[] }
  /** True for a vendor with a former portal, whose apps have other addresses. */
  readonly hasLegacyPortal: boolean
  readonly coverage: readonly FieldCoverage[]
  /** Values within the day. Empty where the vendor has none. */
  readonly series: readonly SeriesCoverage[]
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
    appsPage: "developer-dashboard.whoop.com",
    registration: {
      steps: [
        "Sign in with your WHOOP account.",
        "Create a team with any name, and in it an app. Ten people can use it without a review by WHOOP.",
      ],
      scopes: WHOOP_SCOPES,
    },
    webhookNote: "Choose the model version v2.",
    hasLegacyPortal: false,
    coverage: WHOOP_COVERAGE,
    // WHOOP's API has no samples.
    series: [],
    bounds: WHOOP_PLAUSIBLE,
    syncPolicy: WHOOP_SYNC_POLICY,
    createAdapter: createWhoopAdapter,
  },
  oura: {
    displayName: "Oura",
    defaultBaseUrl: OURA_BASE_URL,
    appsPage: "developer.ouraring.com/applications",
    registration: {
      steps: [
        "Sign in with your Oura account.",
        "Create an application. Ten people can use it without a review by Oura.",
      ],
      scopes: [...OURA_SCOPES, ...OURA_OPTIONAL_SCOPES],
    },
    hasLegacyPortal: true,
    webhookNote: undefined,
    coverage: OURA_COVERAGE,
    series: OURA_SERIES,
    bounds: OURA_PLAUSIBLE,
    syncPolicy: OURA_SYNC_POLICY,
    createAdapter: createOuraAdapter,
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorName = keyof typeof VENDORS

const SERIES = new Map<string, readonly SeriesCoverage[]>(
  Object.entries(VENDORS).map(([provider, { series }]) => [provider, series]),
)

/** Whether a source may have values of a type. A source that is no vendor has whatever its collector or archive brings. */
export const deliversSeries = (provider: string, type: SeriesType): boolean =>
  SERIES.get(provider)?.some((covered) => covered.type === type) ?? true

const STRAIN_VENDORS: ReadonlySet<string> = new Set(
  Object.entries(VENDORS).flatMap(([provider, { coverage }]) =>
    coverage.some(({ kind, field }) => kind === "cycle" && field === "data.strain") ? [provider] : [],
  ),
)

/** Whether a vendor's cycles have a strain. */
export const deliversStrain = (provider: string): boolean => STRAIN_VENDORS.has(provider)

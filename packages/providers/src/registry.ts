import type { SeriesType } from "@restwell/client"
import { APPLE_COVERAGE, APPLE_SERIES } from "./apple-health/coverage.ts"
import type { AdapterOptions, VendorAdapter, WebhookDescription } from "./contract/adapter.ts"
import type { FieldCoverage } from "./contract/records.ts"
import type { SeriesCoverage } from "./contract/series.ts"
import type { SyncPolicy } from "./contract/sync-policy.ts"
import { GARMIN_COVERAGE, GARMIN_SERIES } from "./garmin/coverage.ts"
import { GOOGLE_HEALTH_COVERAGE, GOOGLE_HEALTH_SERIES } from "./google-health/coverage.ts"
import type { Bound } from "./normalize/plausible.ts"
import { createOuraAdapter } from "./oura/adapter.ts"
import { OURA_COVERAGE, OURA_SERIES } from "./oura/coverage.ts"
import { OURA_BASE_URL, OURA_OPTIONAL_SCOPES, OURA_SCOPES } from "./oura/oauth.ts"
import { OURA_SYNC_POLICY } from "./oura/sync-policy.ts"
import { OURA_WEBHOOK } from "./oura/webhook.ts"
import { PHONE_COVERAGE, PHONE_SERIES } from "./push/coverage.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./whoop/adapter.ts"
import { WHOOP_COVERAGE } from "./whoop/coverage.ts"
import { WHOOP_PLAUSIBLE } from "./whoop/normalize.ts"
import { WHOOP_SCOPES } from "./whoop/oauth.ts"
import { WHOOP_SYNC_POLICY } from "./whoop/sync-policy.ts"
import { WHOOP_WEBHOOK } from "./whoop/webhook.ts"

/** What is known of every source of data, connected or not. */
export interface DataSource {
  readonly displayName: string
  /** True for what a phone collects from devices and apps: copies, which go behind the device's own vendor. */
  readonly isCollectedOnPhone?: boolean
  /** How people get the archive that they upload, in sentences. Undefined where no archive can be read. */
  readonly archiveSteps: readonly string[] | undefined
  readonly coverage: readonly FieldCoverage[]
  /** Values within the day. Empty where the source has none. */
  readonly series: readonly SeriesCoverage[]
  /** Bounds of the source's own scales. */
  readonly bounds: readonly Bound[]
}

/** A vendor that people connect, and that is not configured yet. */
export interface Vendor extends DataSource {
  /** The vendor's real address. */
  readonly defaultBaseUrl: string
  /** What it sends to the service. */
  readonly webhook: WebhookDescription
  /** What operators choose for the webhook that they register by hand. Undefined where the service subscribes by itself. */
  readonly webhookNote: string | undefined
  /** Where operators register their app, and find its client id and secret. */
  readonly appsPage: string
  /** How they register it there, in sentences, and the scopes that its form asks for. */
  readonly registration: { readonly steps: readonly string[]; readonly scopes: readonly string[] }
  /** True for a vendor with a former portal, whose apps have other addresses. */
  readonly hasLegacyPortal: boolean
  readonly syncPolicy: SyncPolicy
  readonly createAdapter: (options: AdapterOptions) => VendorAdapter
}

/** Every vendor that people connect, by the name that prefixes its ids. */
export const VENDORS = {
  whoop: {
    displayName: "WHOOP",
    archiveSteps: ["In the WHOOP app, open More, App Settings, Data Export. WHOOP sends a link by email."],
    defaultBaseUrl: WHOOP_BASE_URL,
    appsPage: "developer-dashboard.whoop.com",
    registration: {
      steps: [
        "Sign in with your WHOOP account.",
        "Create a team with any name, and in it an app. Ten people can use it without a review by WHOOP.",
      ],
      scopes: WHOOP_SCOPES,
    },
    webhook: WHOOP_WEBHOOK,
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
    archiveSteps: ["In Oura's Membership Hub, choose Export data, and download the file when it is ready."],
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
    webhook: OURA_WEBHOOK,
    webhookNote: undefined,
    coverage: OURA_COVERAGE,
    series: OURA_SERIES,
    bounds: [],
    syncPolicy: OURA_SYNC_POLICY,
    createAdapter: createOuraAdapter,
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorName = keyof typeof VENDORS

/** Sources without a connection, by the name that prefixes their ids. All of their data come from archives, or from pushes of a phone. */
const ARCHIVE_SOURCES = {
  garmin: {
    displayName: "Garmin",
    archiveSteps: [
      "Garmin lets no private person connect, so its archive is the way. Sign in at garmin.com/account/datamanagement and choose Export Your Data.",
      "Garmin sends a link by email, within hours or weeks. Upload the zip file as it is.",
      "Order it again every half year: Garmin keeps values within the day whole for about six months, then thins them.",
    ],
    coverage: GARMIN_COVERAGE,
    series: GARMIN_SERIES,
    bounds: [],
  },
  google_health: {
    displayName: "Fitbit (Google Health)",
    archiveSteps: [
      "Fitbit's history is in Google Takeout. At takeout.google.com choose Deselect all, then Google Health (or Fitbit).",
      "Choose the file type .zip and the largest file size, so that Google does not divide the file.",
      "Google sends a link by email, within minutes or days. Upload the zip file as it is.",
    ],
    coverage: GOOGLE_HEALTH_COVERAGE,
    series: GOOGLE_HEALTH_SERIES,
    bounds: [],
  },
  apple_health: {
    displayName: "Apple Health",
    isCollectedOnPhone: true,
    archiveSteps: [
      "On the iPhone, open the Health app, tap your picture, and choose Export All Health Data. It takes some minutes.",
      "Send the file export.zip to this device, and upload it as it is. It may have a name in your language.",
      "Apple offers no connection, so export it again when you want the newest days. What is stored stays once.",
    ],
    coverage: APPLE_COVERAGE,
    series: APPLE_SERIES,
    bounds: [],
  },
  phone: {
    displayName: "Phone",
    isCollectedOnPhone: true,
    archiveSteps: undefined,
    coverage: PHONE_COVERAGE,
    series: PHONE_SERIES,
    bounds: [],
  },
} as const satisfies Readonly<Record<string, DataSource>>

/** Every source, connected or not. */
export const DATA_SOURCES: ReadonlyMap<string, DataSource> = new Map<string, DataSource>(
  Object.entries({ ...VENDORS, ...ARCHIVE_SOURCES }),
)

/** Whether a phone collects the source from devices and apps of others. */
export const collectsOnPhone = (provider: string): boolean => DATA_SOURCES.get(provider)?.isCollectedOnPhone === true

/** Returns a source that has no connection. Undefined for vendors and unknown names. */
export const archiveSourceOf = (provider: string): DataSource | undefined =>
  new Map<string, DataSource>(Object.entries(ARCHIVE_SOURCES)).get(provider)

/** Whether a source may have values of a type. An unknown source has whatever its collector brings. */
export const deliversSeries = (provider: string, type: SeriesType): boolean =>
  DATA_SOURCES.get(provider)?.series.some((covered) => covered.type === type) ?? true

/** Whether a source's cycles have a strain. */
export const deliversStrain = (provider: string): boolean =>
  DATA_SOURCES.get(provider)?.coverage.some(({ kind, field }) => kind === "cycle" && field === "strain") ?? false

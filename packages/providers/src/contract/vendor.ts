// What is known of each source of data, and of each vendor that people connect. A vendor's folder declares its own, texts included.

import type { AdapterOptions, KeyAdapter, OauthAdapter, OauthAdapterOptions, WebhookDescription } from "./adapter.ts"
import type { OneDeviceRule } from "./one-device-rule.ts"
import type { Bound, FieldCoverage } from "./records.ts"
import type { SeriesCoverage } from "./series.ts"
import type { SyncPolicy } from "./sync-policy.ts"

/** What is known of every source of data, connected or not. */
export interface DataSource {
  /** True for what a phone collects from devices and apps: copies, which go behind the device's own vendor. */
  readonly isCollectedOnPhone?: boolean
  /** True for what collects the uploads of several devices and programs: two of its workouts that overlap are one that came twice. */
  readonly repeatsActivities?: true
  /** True where rows have no time of their last change, and one that is made up stands for it: it says nothing of when a night was scored. */
  readonly hasNoTimeOfChange?: true
  /** True where cycles or days have ids of their own, which recoveries tell. Others have one day for each date. */
  readonly hasOwnCycleIds?: true
  /** Where steps, energy and distance of several devices are never added up: which of them answers for a date. */
  readonly oneDevice?: OneDeviceRule
  /** How people get the archive that they upload, in sentences. Undefined where no archive can be read. */
  readonly archiveSteps: readonly string[] | undefined
  readonly coverage: readonly FieldCoverage[]
  /** Values within the day. Empty where the source has none. */
  readonly series: readonly SeriesCoverage[]
  /** Bounds of the source's own scales. */
  readonly bounds: readonly Bound[]
}

/** A vendor that people connect, and that is not configured yet. */
interface ConnectedSource extends DataSource {
  /** The vendor's real address. */
  readonly defaultBaseUrl: string
  /** What it sends to the service. Absent where it sends nothing. */
  readonly webhook?: WebhookDescription
  readonly syncPolicy: SyncPolicy
}

/** A vendor that needs an app of the operator. */
export interface OauthVendor extends ConnectedSource {
  readonly access: "oauth"
  /** What operators choose for the webhook that they register by hand. Undefined where the service subscribes by itself. */
  readonly webhookNote: string | undefined
  /** Where operators register their app, and find its client id and secret. */
  readonly appsPage: string
  /** The former page, whose apps have other addresses. Undefined where there is none. */
  readonly formerAppsPage: string | undefined
  /** How they register it there, in sentences, and the scopes that its form asks for. */
  readonly registration: { readonly steps: readonly string[]; readonly scopes: readonly string[] }
  /** How long the code lives with which the browser comes back, where it is too short to look around, seconds. */
  readonly codeSeconds?: number
  /** Grants that end after some days as long as the operator's app is on trial at the vendor, which only the end itself tells. */
  readonly trialGrant?: {
    readonly days: number
    /** Said before people connect, in sentences. */
    readonly note: string
  }
  readonly createAdapter: (options: OauthAdapterOptions) => OauthAdapter
}

/** A vendor that people connect by a key of their own. It needs nothing of the operator, so it is always offered. */
export interface KeyVendor extends ConnectedSource {
  readonly access: "key"
  /** Where people make their key. */
  readonly keyPage: string
  /** How they get it there, in sentences. */
  readonly keySteps: readonly string[]
  /** What the vendor's terms ask to be shown, in a sentence. Undefined where they ask for nothing. */
  readonly attribution: string | undefined
  readonly createAdapter: (options: AdapterOptions) => KeyAdapter
}

export type Vendor = OauthVendor | KeyVendor

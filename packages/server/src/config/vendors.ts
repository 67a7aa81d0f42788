import type { AccountResponse, Delivery, SeriesType } from "@restwell/client"
import { sourceName } from "@restwell/client/figures"
import { type CallbackUrlOf, type CallPurpose, type Context, createCallGate } from "@restwell/core"
import {
  DATA_SOURCES,
  type DataSource,
  DEVICES,
  type FieldCoverage,
  VENDOR_LIST,
  type Vendor,
  type VendorAdapter,
  vendorOf,
} from "@restwell/providers"
import type { Wait } from "../process/wait.ts"
import type { Config } from "./config.ts"
import type { EffectiveSettings } from "./live-settings.ts"
import { adapterOf, prefixOf } from "./vendor-settings.ts"

/** Where a vendor leads people back to after they have allowed the connection. */
export const redirectUrl = (baseUrl: string, provider: string): string =>
  `${baseUrl}/api/connections/${provider}/callback`

/**
 * Returns where each vendor sends its webhooks. A vendor's own servers reach only https addresses. Another server with its API, such as a
 * simulator, may reach any.
 */
export const callbackUrls =
  ({ current }: { current(): Pick<EffectiveSettings, "baseUrl" | "vendors"> }): CallbackUrlOf =>
  (provider) => {
    const { vendors, baseUrl } = current()
    const isOwn = vendors.get(provider)?.baseUrl === vendorOf(provider)?.defaultBaseUrl
    return isOwn && !baseUrl.startsWith("https://") ? undefined : `${baseUrl}/api/webhooks/${provider}`
  }

export interface VendorsOptions extends Pick<Context, "database" | "clock"> {
  /** The configured vendors at each call. */
  readonly vendors: () => Config["vendors"]
  /** Waits for the call budget and before retries. */
  readonly wait: Wait
  /** Ends every wait. */
  readonly signal: AbortSignal
}

/** Adapters of the configured vendors for each purpose and person. All calls to a vendor's app share one budget. */
export function createVendors({ vendors, wait, signal, ...deps }: VendorsOptions): {
  adapters(): Context["adapters"]
  readonly adaptersFor: Context["adaptersFor"]
} {
  const delay = (delayMs: number) => wait(delayMs, signal)
  const adaptersFor = (purpose: CallPurpose, userId: string | null): ReadonlyMap<string, VendorAdapter> => {
    const configured = vendors()
    const adapters = new Map<string, VendorAdapter>()
    for (const [provider, vendor] of VENDOR_LIST) {
      const config = configured.get(provider)
      if (!config) continue
      const limits = { perMinute: config.callsPerMinute, perDay: config.callsPerDay }
      const budget = vendor.syncPolicy.calls
      const gate = createCallGate({ ...deps, wait: delay, provider, limits, budget, purpose, userId })
      const adapter = adapterOf(vendor, config, { gate, delay, now: () => deps.clock.now() })
      if (adapter) adapters.set(provider, adapter)
    }
    return adapters
  }
  let made: { readonly configured: Config["vendors"]; readonly adapters: Context["adapters"] } | undefined
  return {
    adapters() {
      const configured = vendors()
      if (made?.configured !== configured) made = { configured, adapters: adaptersFor("person", null) }
      return made.adapters
    },
    adaptersFor,
  }
}

type Field = Pick<FieldCoverage, "kind"> & Partial<Pick<FieldCoverage, "field">>

/** What a vendor delivers, by a field of its coverage; without a field, by any of the kind. In the order of the page. */
const DELIVERIES: readonly (readonly [Delivery, ...(Field | { readonly series: SeriesType })[]])[] = [
  ["sleep", { kind: "sleep" }],
  ["sleep_phases", { kind: "sleep", field: "course" }],
  ["recovery", { kind: "recovery" }],
  ["spo2", { kind: "recovery", field: "spo2Percent" }],
  [
    "temperature",
    { kind: "recovery", field: "skinTempCelsius" },
    { kind: "recovery", field: "skinTempDeviationCelsius" },
  ],
  ["workout", { kind: "workout" }],
  ["cycle", { kind: "cycle" }],
  ["strain", { kind: "cycle", field: "strain" }],
  ["steps", { kind: "cycle", field: "steps" }],
  ["heart_rate", { series: "heart_rate" }],
  ["weight", { series: "weight" }],
  ["profile", { kind: "profile" }],
]

function deliveriesOf({ coverage, series }: Pick<DataSource, "coverage" | "series">): Delivery[] {
  const isCovered = (wanted: Field | { readonly series: SeriesType }) =>
    "series" in wanted
      ? series.some(({ type }) => type === wanted.series)
      : coverage.some(({ kind, field }) => kind === wanted.kind && field === (wanted.field ?? field))
  return DELIVERIES.filter(([, ...wanted]) => wanted.some(isCovered)).map(([delivery]) => delivery)
}

/** Every vendor that this version can read, with what people enter here, or an operator there and in the settings. */
export function describeVendors({ adapters }: Pick<Context, "adapters">, baseUrl: string): AccountResponse["vendors"] {
  return VENDOR_LIST.map(([provider, vendor]) => ({
    provider,
    display_name: sourceName(provider),
    is_set_up: adapters.has(provider),
    delivers: deliveriesOf(vendor),
    ...accessOf(provider, vendor, baseUrl),
  }))
}

function accessOf(
  provider: string,
  vendor: Vendor,
  baseUrl: string,
): Pick<AccountResponse["vendors"][number], "setup" | "key" | "code_seconds" | "grant_note"> {
  if (vendor.access === "key")
    return {
      setup: null,
      code_seconds: null,
      grant_note: null,
      key: { page: vendor.keyPage, steps: [...vendor.keySteps], attribution: vendor.attribution ?? null },
    }
  const { appsPage, formerAppsPage, registration, webhookNote, codeSeconds, trialGrant } = vendor
  return {
    key: null,
    code_seconds: codeSeconds ?? null,
    grant_note: trialGrant?.note ?? null,
    setup: {
      apps_page: appsPage,
      former_apps_page: formerAppsPage ?? null,
      steps: [...registration.steps],
      scopes: [...registration.scopes],
      settings: ["CLIENT_ID", "CLIENT_SECRET"].map((name) => prefixOf(provider) + name),
      redirect_url: redirectUrl(baseUrl, provider),
      webhook_url: webhookNote === undefined ? null : `${baseUrl}/api/webhooks/${provider}`,
      webhook_note: webhookNote ?? null,
    },
  }
}

/** Every vendor whose archive this version can read, and how people get it. */
export const describeArchives = (): AccountResponse["archives"] =>
  [...DATA_SOURCES].flatMap(([provider, { archiveSteps, ...source }]) =>
    archiveSteps === undefined
      ? []
      : [{ provider, display_name: sourceName(provider), delivers: deliveriesOf(source), steps: [...archiveSteps] }],
  )

/** What people wear, and how its data can come. */
export const describeDevices = (): AccountResponse["devices"] =>
  DEVICES.map(({ isCommon, ways, ...device }) => ({
    ...device,
    is_common: isCommon === true,
    ways: ways.map((way) => ({ ...way, program: way.program ?? null })),
  }))

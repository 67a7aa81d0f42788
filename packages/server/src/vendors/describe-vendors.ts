import type { AccountResponse, Delivery } from "@restwell/client"
import type { Context } from "@restwell/core"
import { type FieldCoverage, VENDORS } from "@restwell/providers"
import { prefixOf } from "../config/vendor-settings.ts"
import { redirectUrl } from "./callback-url.ts"

type Field = Pick<FieldCoverage, "kind"> & Partial<Pick<FieldCoverage, "field">>

/** What a vendor delivers, by a field of its coverage; without a field, by any of the kind. In the order of the page. */
const DELIVERIES: readonly (readonly [Delivery, ...Field[]])[] = [
  ["sleep", { kind: "sleep" }],
  ["sleep_phases", { kind: "sleep", field: "course" }],
  ["recovery", { kind: "recovery" }],
  ["spo2", { kind: "recovery", field: "data.metrics.spo2" }],
  [
    "temperature",
    { kind: "recovery", field: "skinTempCelsius" },
    { kind: "recovery", field: "skinTempDeviationCelsius" },
  ],
  ["workout", { kind: "workout" }],
  ["cycle", { kind: "cycle" }],
  ["strain", { kind: "cycle", field: "data.strain" }],
  ["steps", { kind: "cycle", field: "steps" }],
  ["profile", { kind: "profile" }],
]

export function deliveriesOf(coverage: readonly FieldCoverage[]): Delivery[] {
  const isCovered = ({ kind, field }: Field) =>
    coverage.some((covered) => covered.kind === kind && (field === undefined || covered.field === field))
  return DELIVERIES.filter(([, ...fields]) => fields.some(isCovered)).map(([delivery]) => delivery)
}

/** Every vendor that this version can read, with what an operator enters at the vendor and in the settings. */
export function describeVendors({ adapters }: Pick<Context, "adapters">, baseUrl: string): AccountResponse["vendors"] {
  return Object.entries(VENDORS).map(([provider, { displayName, appsPage, registersWebhook, coverage }]) => ({
    provider,
    display_name: displayName,
    is_set_up: adapters.has(provider),
    delivers: deliveriesOf(coverage),
    setup: {
      apps_page: appsPage,
      settings: ["CLIENT_ID", "CLIENT_SECRET"].map((name) => prefixOf(provider) + name),
      redirect_url: redirectUrl(baseUrl, provider),
      webhook_url: registersWebhook ? `${baseUrl}/api/webhooks/${provider}` : null,
    },
  }))
}

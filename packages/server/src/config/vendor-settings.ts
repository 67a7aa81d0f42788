/** The settings of every vendor in the registry. All begin with the vendor's name: WHOOP_CLIENT_ID. */
import { AppCredentialSchema } from "@restwell/client"
import {
  type AdapterOptions,
  APP_PORTALS,
  type AppPortal,
  type OauthVendor,
  VENDOR_LIST,
  type Vendor,
  type VendorAdapter,
} from "@restwell/providers"
import { z } from "zod"
import { needs, oneOf, origin, type Variables, wholeNumber, wrongValues } from "./environment.ts"

/** The operator's own app at a vendor. */
interface VendorApp {
  readonly clientId: string
  readonly clientSecret: string
  /** Present for vendors that have a former portal. */
  readonly portal?: AppPortal
}

/** How a vendor is called. */
export interface VendorConfig {
  readonly baseUrl: string
  readonly callsPerMinute: number
  readonly callsPerDay: number
  /** Absent for vendors that need none. */
  readonly app?: VendorApp
}

/** Whether people can be connected by an app of the operator. */
export const hasApps = (vendors: ReadonlyMap<string, VendorConfig>): boolean =>
  [...vendors.values()].some(({ app }) => app !== undefined)

/** Returns a vendor's adapter. Undefined for one that needs an app and has none. */
export function adapterOf(
  vendor: Vendor,
  { app, baseUrl }: VendorConfig,
  options: Omit<AdapterOptions, "baseUrl">,
): VendorAdapter | undefined {
  if (vendor.access === "key") return vendor.createAdapter({ ...options, baseUrl })
  return app && vendor.createAdapter({ ...options, ...app, baseUrl })
}

export const prefixOf = (provider: string): string => `${provider.toUpperCase()}_`

/** Prefixes that only settings of vendors have. */
export const VENDOR_PREFIXES: readonly string[] = VENDOR_LIST.map(([provider]) => prefixOf(provider))

const callsOf = ({ defaultBaseUrl, syncPolicy: { calls } }: Vendor) => ({
  BASE_URL: origin.default(defaultBaseUrl),
  CALLS_PER_MINUTE: wholeNumber(1, 1_000_000, calls.perMinute),
  CALLS_PER_DAY: wholeNumber(1, 100_000_000, calls.perDay),
})

const keySettings = (vendor: Vendor) => z.object(callsOf(vendor))

const appSettings = (vendor: Vendor) =>
  z.object({
    CLIENT_ID: AppCredentialSchema.optional(),
    CLIENT_SECRET: AppCredentialSchema.optional(),
    ...callsOf(vendor),
    PORTAL: oneOf(APP_PORTALS).default("current"),
  })

/** The names of a vendor's settings without its prefix. */
const namesOf = (vendor: Vendor): readonly string[] =>
  vendor.access === "key"
    ? Object.keys(keySettings(vendor).shape)
    : Object.keys(appSettings(vendor).shape).filter((name) => name !== "PORTAL" || vendor.formerAppsPage !== undefined)

/** The names of all vendors' settings. */
export const VENDOR_SETTINGS: readonly string[] = VENDOR_LIST.flatMap(([provider, vendor]) =>
  namesOf(vendor).map((name) => prefixOf(provider) + name),
)

/** The two settings of a vendor's app, in words. */
export const appSettingsOf = (provider: string): string =>
  `${prefixOf(provider)}CLIENT_ID and ${prefixOf(provider)}CLIENT_SECRET`

const [[FIRST_WITH_APP = ""] = []] = VENDOR_LIST.filter(([, { access }]) => access === "oauth")

/** What an operator without any app does in the environment. */
export const SET_AN_APP = `set ${appSettingsOf(FIRST_WITH_APP)}, or those of another vendor`

export interface VendorSettings {
  /** The vendors whose app is set, and those that need none, by name. */
  readonly vendors: ReadonlyMap<string, VendorConfig>
  /** A line for each invalid value. */
  readonly wrong: readonly string[]
  /** A line for each half of an app's credentials without the other. */
  readonly missing: readonly string[]
}

export function readVendorSettings(given: Variables): VendorSettings {
  const read = VENDOR_LIST.map(([provider, vendor]) =>
    vendor.access === "key" ? readKeyVendor(provider, vendor, given) : readOauthVendor(provider, vendor, given),
  )
  return {
    vendors: new Map(read.flatMap(({ vendors }) => [...vendors])),
    wrong: read.flatMap(({ wrong }) => wrong),
    missing: read.flatMap(({ missing }) => missing),
  }
}

const givenTo = (provider: string, vendor: Vendor, given: Variables) =>
  Object.fromEntries(namesOf(vendor).map((name) => [name, given[prefixOf(provider) + name]]))

function readKeyVendor(provider: string, vendor: Vendor, given: Variables): VendorSettings {
  const parsed = keySettings(vendor).safeParse(givenTo(provider, vendor, given))
  return {
    vendors: new Map(parsed.success ? [[provider, configOf(parsed.data)]] : []),
    wrong: wrongValues(parsed.error, given, prefixOf(provider)),
    missing: [],
  }
}

const configOf = (own: z.infer<ReturnType<typeof keySettings>>): VendorConfig => ({
  baseUrl: own.BASE_URL,
  callsPerMinute: own.CALLS_PER_MINUTE,
  callsPerDay: own.CALLS_PER_DAY,
})

function readOauthVendor(provider: string, vendor: OauthVendor, given: Variables): VendorSettings {
  const prefix = prefixOf(provider)
  const parsed = appSettings(vendor).safeParse(givenTo(provider, vendor, given))
  const app = parsed.success ? appOf(vendor, parsed.data) : undefined
  const [id, secret] = [`${prefix}CLIENT_ID`, `${prefix}CLIENT_SECRET`]
  const hint = `, both are on your app's page at ${vendor.appsPage}`
  return {
    vendors: new Map(parsed.success && app ? [[provider, { ...configOf(parsed.data), app }]] : []),
    wrong: wrongValues(parsed.error, given, prefix),
    missing: [...needs(given, secret, id, hint), ...needs(given, id, secret, hint)],
  }
}

function appOf(
  { formerAppsPage }: OauthVendor,
  { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORTAL: portal }: z.infer<ReturnType<typeof appSettings>>,
): VendorApp | undefined {
  if (clientId === undefined || clientSecret === undefined) return undefined
  return { clientId, clientSecret, ...(formerAppsPage !== undefined && { portal }) }
}

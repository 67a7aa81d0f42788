/** The settings of every vendor in the registry. All begin with the vendor's name: WHOOP_CLIENT_ID. */
import { AppCredentialSchema } from "@restwell/client"
import { APP_PORTALS, type AppPortal, VENDORS, type Vendor } from "@restwell/providers"
import { z } from "zod"
import { needs, oneOf, origin, type Variables, wholeNumber, wrongValues } from "./environment.ts"

/** The operator's own app at a vendor. */
export interface VendorConfig {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  readonly callsPerMinute: number
  readonly callsPerDay: number
  /** Present for vendors that have a former portal. */
  readonly portal?: AppPortal
}

const REGISTRY: readonly (readonly [string, Vendor])[] = Object.entries(VENDORS)

export const prefixOf = (provider: string): string => `${provider.toUpperCase()}_`

/** Prefixes that only settings of vendors have. */
export const VENDOR_PREFIXES: readonly string[] = REGISTRY.map(([provider]) => prefixOf(provider))

const schemaOf = ({ defaultBaseUrl, syncPolicy: { calls } }: Vendor) =>
  z.object({
    CLIENT_ID: AppCredentialSchema.optional(),
    CLIENT_SECRET: AppCredentialSchema.optional(),
    BASE_URL: origin.default(defaultBaseUrl),
    CALLS_PER_MINUTE: wholeNumber(1, 1_000_000, calls.perMinute),
    CALLS_PER_DAY: wholeNumber(1, 100_000_000, calls.perDay),
    PORTAL: oneOf(APP_PORTALS).default("current"),
  })

/** The names of a vendor's settings without its prefix. */
const namesOf = (vendor: Vendor): readonly string[] =>
  Object.keys(schemaOf(vendor).shape).filter((name) => name !== "PORTAL" || vendor.hasLegacyPortal)

/** The names of all vendors' settings. */
export const VENDOR_SETTINGS: readonly string[] = REGISTRY.flatMap(([provider, vendor]) =>
  namesOf(vendor).map((name) => prefixOf(provider) + name),
)

export interface VendorSettings {
  /** The vendors whose app is set, by name. */
  readonly vendors: ReadonlyMap<string, VendorConfig>
  /** A line for each invalid value. */
  readonly wrong: readonly string[]
  /** A line for each half of an app's credentials without the other. */
  readonly missing: readonly string[]
}

export function readVendorSettings(given: Variables): VendorSettings {
  const read = REGISTRY.map(([provider, vendor]) => readOne(provider, vendor, given))
  return {
    vendors: new Map(read.flatMap(({ vendors }) => [...vendors])),
    wrong: read.flatMap(({ wrong }) => wrong),
    missing: read.flatMap(({ missing }) => missing),
  }
}

function readOne(provider: string, vendor: Vendor, given: Variables): VendorSettings {
  const prefix = prefixOf(provider)
  const own = Object.fromEntries(namesOf(vendor).map((name) => [name, given[prefix + name]]))
  const parsed = schemaOf(vendor).safeParse(own)
  const [id, secret] = [`${prefix}CLIENT_ID`, `${prefix}CLIENT_SECRET`]
  const hint = `, both are on your app's page at ${vendor.appsPage}`
  return {
    vendors: new Map(parsed.success ? configOf(provider, vendor, parsed.data) : []),
    wrong: wrongValues(parsed.error, given, prefix),
    missing: [...needs(given, secret, id, hint), ...needs(given, id, secret, hint)],
  }
}

function configOf(
  provider: string,
  { hasLegacyPortal }: Vendor,
  own: z.infer<ReturnType<typeof schemaOf>>,
): [string, VendorConfig][] {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = own
  if (clientId === undefined || clientSecret === undefined) return []
  const config: VendorConfig = {
    clientId,
    clientSecret,
    baseUrl: own.BASE_URL,
    callsPerMinute: own.CALLS_PER_MINUTE,
    callsPerDay: own.CALLS_PER_DAY,
    ...(hasLegacyPortal && { portal: own.PORTAL }),
  }
  return [[provider, config]]
}

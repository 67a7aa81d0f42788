import type { VendorName } from "@restwell/providers"
import { VENDOR_APP } from "../vendor/start-vendor.ts"

/** RESTWELL_SECRET where a test is not about secrets. */
export const TEST_SECRET = "a secret of at least thirty-two characters"

/** The settings of a vendor, without call limits. @param provider @default "whoop" */
export function vendorEnvironment(
  { url }: { readonly url: string },
  provider: VendorName = "whoop",
): Readonly<Record<string, string>> {
  const prefix = provider.toUpperCase()
  return {
    [`${prefix}_CLIENT_ID`]: VENDOR_APP.clientId,
    [`${prefix}_CLIENT_SECRET`]: VENDOR_APP.clientSecret,
    [`${prefix}_BASE_URL`]: url,
    [`${prefix}_CALLS_PER_MINUTE`]: "1000000",
    [`${prefix}_CALLS_PER_DAY`]: "1000000",
  }
}

/** The settings of a service on a database of its operator's. */
export const serviceEnvironment = (
  database: { readonly url: string },
  vendor: { readonly url: string },
): Readonly<Record<string, string>> => ({
  DATABASE_URL: database.url,
  RESTWELL_SECRET: TEST_SECRET,
  ...vendorEnvironment(vendor),
})

/** More requests than a test makes. */
export const UNLIMITED_QUOTA = { FREE_MONTHLY_REQUESTS: "1000000" }

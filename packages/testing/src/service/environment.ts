import type { Simulator } from "@restwell/simulator"
import { VENDOR_APP } from "../vendor/start-vendor.ts"

/** RESTWELL_SECRET where a test is not about secrets. */
export const TEST_SECRET = "a secret of at least thirty-two characters"

/** The settings of a vendor, without call limits. */
export const vendorEnvironment = ({ url }: Pick<Simulator, "url">): Readonly<Record<string, string>> => ({
  WHOOP_CLIENT_ID: VENDOR_APP.clientId,
  WHOOP_CLIENT_SECRET: VENDOR_APP.clientSecret,
  WHOOP_BASE_URL: url,
  WHOOP_CALLS_PER_MINUTE: "1000000",
  WHOOP_CALLS_PER_DAY: "1000000",
})

/** The settings of a service on a database of its operator's. */
export const serviceEnvironment = (
  database: { readonly url: string },
  vendor: Pick<Simulator, "url">,
): Readonly<Record<string, string>> => ({
  DATABASE_URL: database.url,
  RESTWELL_SECRET: TEST_SECRET,
  ...vendorEnvironment(vendor),
})

/** More requests than a test makes. */
export const UNLIMITED_QUOTA = { FREE_MONTHLY_REQUESTS: "1000000" }

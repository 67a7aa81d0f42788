import { createHash, randomBytes } from "node:crypto"
import { VENDOR_LIST, VENDORS, type VendorName } from "@restwell/providers"
import { VENDOR_APP } from "../vendor/vendor-under-test.ts"

/** RESTWELL_SECRET where a test is not about secrets. */
export const TEST_SECRET = "a secret of at least thirty-two characters"

/** Lets tests make accounts without an invitation. */
export const OPEN_SIGN_UP = { SIGN_UP: "open" }
const METRICS_TOKEN = "a token for metrics of at least thirty-two characters"

/** Makes the metrics of a service readable by `readMetrics`. */
export const METRICS_ENVIRONMENT = { METRICS_TOKEN }

/** The header that the metrics of such a service ask for. */
export const METRICS_HEADERS = { authorization: `Bearer ${METRICS_TOKEN}` }

/** The metrics of a service that this package started. */
export async function readMetrics({ url }: { readonly url: string }): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: METRICS_HEADERS })
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`)
  return answer.text()
}

/** The settings of a vendor, without call limits. @param provider @default "whoop" */
export function vendorEnvironment(
  { url }: { readonly url: string },
  provider: VendorName = "whoop",
): Readonly<Record<string, string>> {
  const prefix = provider.toUpperCase()
  return {
    ...(VENDORS[provider].access === "oauth" && {
      [`${prefix}_CLIENT_ID`]: VENDOR_APP.clientId,
      [`${prefix}_CLIENT_SECRET`]: VENDOR_APP.clientSecret,
    }),
    [`${prefix}_BASE_URL`]: url,
    [`${prefix}_CALLS_PER_MINUTE`]: "1000000",
    [`${prefix}_CALLS_PER_DAY`]: "1000000",
  }
}

/** Vendors of keys are offered without an app. No test calls a real one. */
const NO_REAL_VENDOR = Object.fromEntries(
  VENDOR_LIST.flatMap(([name, { access }]) =>
    access === "key" ? [[`${name.toUpperCase()}_BASE_URL`, "http://127.0.0.1:1"]] : [],
  ),
)

/** The settings of a service on a database of its operator's. Members sign up by themselves, without invitations. */
export const serviceEnvironment = (
  database: { readonly url: string },
  vendor: { readonly url: string },
): Readonly<Record<string, string>> => ({
  DATABASE_URL: database.url,
  RESTWELL_SECRET: TEST_SECRET,
  ...OPEN_SIGN_UP,
  ...NO_REAL_VENDOR,
  ...vendorEnvironment(vendor),
})

/** The same quota for everybody: the owner, whose plan is pro, and people with the plan free. */
export const quotaOf = (requests: number) => ({
  FREE_MONTHLY_REQUESTS: String(requests),
  PRO_MONTHLY_REQUESTS: String(requests),
})

/** More requests than a test makes. */
export const UNLIMITED_QUOTA = quotaOf(1_000_000)

const SCHEME = "quick"
const digestOf = (salt: string, password: string): string =>
  createHash("sha256").update(`${salt}${password}`).digest("hex")

/** Salted and compared like the service's own hash, without its tenth of a second for each password. Processes that tests start have theirs. */
export const QUICK_PASSWORD_HASH = {
  async hash(password: string): Promise<string> {
    const salt = randomBytes(8).toString("hex")
    return [SCHEME, salt, digestOf(salt, password)].join(":")
  },
  async verify({ hash, password }: { readonly hash: string; readonly password: string }): Promise<boolean> {
    const [scheme, salt = "", digest] = hash.split(":")
    if (scheme !== SCHEME) throw new Error("a process with the service's own hash stored this password")
    return digest === digestOf(salt, password)
  },
}

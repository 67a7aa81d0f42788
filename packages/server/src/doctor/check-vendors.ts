import { sourceName } from "@restwell/client/figures"
import { DAY_MS } from "@restwell/client/time-units"
import {
  AccessTokenRejected,
  AppRefused,
  AuthorizationRevoked,
  type KeyAdapter,
  type OauthAdapter,
  ProviderError,
  RateLimited,
  RequestRefused,
  VENDOR_LIST,
  type VendorAdapter,
  vendorOf,
} from "@restwell/providers"
import { adapterOf, appSettingsOf, prefixOf, SET_AN_APP } from "../config/vendor-settings.ts"
import { callbackUrls, redirectUrl } from "../config/vendors.ts"
import { type Facts, failed, type Outcome, ok, skipped } from "./facts.ts"
import { codeOf } from "./service-proof.ts"

/** No vendor gave it. A vendor that knows the app refuses it, and one that does not refuses the app. */
const NO_TOKEN = "restwell-doctor-asks-with-a-token-that-nobody-has"
const LONGEST_MS = 8_000

/** Adapters without the shared budget, which would be a change of the database. */
function adaptersOf(facts: Facts): VendorAdapter[] {
  const options = {
    gate: { acquire: async () => {}, report: async () => {} },
    delay: async () => {},
    timeoutMs: LONGEST_MS,
    now: () => facts.clock.now(),
  }
  return VENDOR_LIST.flatMap(([provider, vendor]) => {
    const config = facts.config.vendors.get(provider)
    return (config && adapterOf(vendor, config, options)) ?? []
  })
}

const appsOf = (facts: Facts): OauthAdapter[] =>
  adaptersOf(facts).flatMap((adapter) => (adapter.access === "oauth" ? [adapter] : []))

/** Each vendor's token endpoint accepts the app, and vendors of keys in use answer. */
export async function checkVendors(facts: Facts): Promise<Outcome[]> {
  const adapters = adaptersOf(facts)
  const connected = await connectedProviders(facts)
  const orphans = withoutApp(facts, connected)
  const inUse = adapters.filter(({ access, provider }) => access === "oauth" || connected.has(provider))
  if (inUse.length === 0 && orphans.length === 0) return [await noVendor(facts)]
  const checks = inUse.map((adapter) =>
    adapter.access === "oauth" ? checkApp(facts, adapter) : checkKeyVendor(facts, adapter),
  )
  return [...orphans, ...(await Promise.all(checks))]
}

async function noVendor(facts: Facts): Promise<Outcome> {
  if (facts.unreadableSettings.some((name) => /_CLIENT_(?:ID|SECRET)$/.test(name)))
    return skipped("its setting cannot be used")
  if ((await facts.setUp().catch(() => undefined)) !== undefined)
    return skipped("no vendor is set up yet, the set-up does that")
  return failed("no vendor is set up", `enter an app on the page Service, or ${SET_AN_APP}`)
}

async function connectedProviders(facts: Facts): Promise<ReadonlySet<string>> {
  const { groups } = await facts.syncState().catch(() => ({ groups: [] }))
  return new Set(
    groups.filter(({ status }) => !["disconnected", "archive"].includes(status)).map(({ provider }) => provider),
  )
}

function withoutApp(facts: Facts, connected: ReadonlySet<string>): Outcome[] {
  const isReported = (prefix: string) => facts.unreadableSettings.some((name) => name.startsWith(prefix))
  return [...connected]
    .filter((provider) => !facts.config.vendors.has(provider) && !isReported(prefixOf(provider)))
    .map((provider) =>
      failed(
        `people are connected to ${sourceName(provider)}, and its app is not set up`,
        `set ${appSettingsOf(provider)} again`,
      ),
    )
}

/** A vendor that refuses a key that nobody has answers. */
async function checkKeyVendor(facts: Facts, adapter: KeyAdapter): Promise<Outcome> {
  try {
    await adapter.fetchProfile(NO_TOKEN)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (!(error instanceof AccessTokenRejected || error instanceof RateLimited || error instanceof RequestRefused))
      return notAnswering(facts, adapter.provider, error)
  }
  return ok(`${sourceName(adapter.provider)} answers`)
}

function notAnswering(facts: Facts, provider: string, error: ProviderError): Outcome {
  const [name, baseUrl] = [sourceName(provider), facts.config.vendors.get(provider)?.baseUrl]
  const isOwn = vendorOf(provider)?.defaultBaseUrl === baseUrl
  return failed(
    `${name} does not answer at ${baseUrl} (${codeOf(error)})`,
    `check the network of this machine${isOwn ? `, and whether ${name} is down` : ` and ${prefixOf(provider)}BASE_URL`}`,
  )
}

async function checkApp(facts: Facts, adapter: OauthAdapter): Promise<Outcome> {
  const name = sourceName(adapter.provider)
  try {
    await adapter.refreshTokens(NO_TOKEN)
    return ok(`${name} answers`)
  } catch (error) {
    if (error instanceof AuthorizationRevoked || error instanceof RateLimited)
      return (await checkRedirectUrl(facts, adapter)) ?? ok(`${name} accepts the app`)
    if (error instanceof AppRefused)
      return failed(
        `${name} refuses the app: the client id or the client secret is wrong`,
        `correct ${appSettingsOf(adapter.provider)}, both are on the app's page`,
      )
    if (error instanceof RequestRefused) return ok(`${name} answers`)
    if (!(error instanceof ProviderError)) throw error
    return notAnswering(facts, adapter.provider, error)
  }
}

/** The vendor leads people back to this service. Asks for its sign-in page, as a browser does that nobody is signed in with. */
async function checkRedirectUrl(facts: Facts, adapter: OauthAdapter): Promise<Outcome | undefined> {
  const { provider } = adapter
  const redirectUri = redirectUrl(facts.baseUrl, provider)
  const page = adapter.authorizeUrl({ state: adapter.createState(), redirectUri })
  if (!(await refusesRedirectUrl(page, facts.signal))) return undefined
  return failed(
    `${sourceName(provider)} does not know the redirect URL of this service`,
    `enter ${redirectUri} as a redirect URL on the app's page`,
  )
}

const REDIRECT_URL = /redirect.?ur[il]/i

/** True for a page or an error of RFC 6749, section 4.1.2.1, that names the redirect URL. No answer says nothing about it. */
async function refusesRedirectUrl(page: URL, signal: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  const answer = await fetch(page, { redirect: "manual", signal: limit })
    .then(async (response) => ({ status: response.status, headers: response.headers, body: await response.text() }))
    .catch(() => undefined)
  if (!answer) return false
  // Other statuses, like 403 of a bot protection, are about the doctor.
  if (answer.status === 400) return REDIRECT_URL.test(answer.body)
  const target = URL.parse(answer.headers.get("location") ?? "", page)?.searchParams
  return target?.has("error") === true && REDIRECT_URL.test(target.get("error_description") ?? "")
}

/** Vendors can send webhooks, and do. */
export async function checkWebhooks(facts: Facts): Promise<Outcome[]> {
  const callbackUrlOf = callbackUrls({ current: () => ({ vendors: facts.config.vendors, baseUrl: facts.baseUrl }) })
  const adapters = appsOf(facts)
  if (adapters.length === 0) return [skipped("no vendor is set up")]
  return await Promise.all(
    adapters.map(async (adapter) => {
      const { provider, readWebhook } = adapter
      if (!readWebhook) return ok(`${sourceName(provider)} sends no webhooks here, so data is polled`)
      const callbackUrl = callbackUrlOf(provider)
      if (callbackUrl === undefined)
        return ok(`${sourceName(provider)} cannot reach ${facts.baseUrl}, so data is polled`)
      return (await checkCallback(facts, callbackUrl)) ?? (await checkSilence(facts, adapter, callbackUrl))
    }),
  )
}

/** Sends a webhook without a signature, which the service refuses in its own words. */
async function checkCallback(facts: Facts, callbackUrl: string): Promise<Outcome | undefined> {
  const answer = await facts.public()
  if (answer.from !== "ours") return skipped("the service was not reached at BASE_URL")
  const problem = await findRefusal(callbackUrl, facts.signal)
  return problem === undefined
    ? undefined
    : failed(
        `webhooks do not reach the service: POST ${callbackUrl} ${problem}`,
        "let the proxy forward POST requests to /api/webhooks/ unchanged",
      )
}

async function findRefusal(callbackUrl: string, stopping: AbortSignal): Promise<string | undefined> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_MS)])
    const response = await fetch(callbackUrl, { method: "POST", body: "{}", redirect: "manual", signal })
    const body = await response.text()
    const isOurs = response.status === 401 && response.headers.has("x-request-id") && body.includes('"unauthorized"')
    return isOurs ? undefined : `got ${response.status}`
  } catch (error) {
    return `failed (${codeOf(error)})`
  }
}

const SILENT_DAYS = 7

/** Webhooks arrive for somebody who has been connected for a while. */
async function checkSilence(facts: Facts, adapter: OauthAdapter, callbackUrl: string): Promise<Outcome> {
  const { provider, webhookSubscriber } = adapter
  const { silences } = await facts.syncState()
  const silence = silences.find((each) => each.provider === provider)
  const since = silence?.lastEventAt
  const days = since ? (facts.clock.now().getTime() - since.getTime()) / DAY_MS : SILENT_DAYS
  if (!silence || days < SILENT_DAYS) return ok(`webhooks reach ${callbackUrl}`)
  return failed(
    since
      ? `the last webhook of ${sourceName(provider)} came ${Math.floor(days)} days ago`
      : `no webhook of ${sourceName(provider)} has ever come`,
    webhookSubscriber
      ? "restart the service, which subscribes again, and look for a refusal in its log"
      : `enter ${callbackUrl} as the webhook URL on the app's page`,
  )
}

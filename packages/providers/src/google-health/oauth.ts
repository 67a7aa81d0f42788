// Google's OAuth 2.0: authorization code with a confidential client. https://developers.google.com/identity/protocols/oauth2/web-server
//
// A refresh keeps the refresh token, so its answer has none. While the operator's app is in Testing, a grant ends after seven days.
import { randomBytes } from "node:crypto"
import type { TokenSet } from "../contract/adapter.ts"
import { RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import { type ExchangeLimits, exchange } from "../http/exchange.ts"
import { pauseBeforeRepeat, type RetryTools, withRetries } from "../http/retry.ts"
import { requestTokens, type TokenEndpoint } from "../http/token-request.ts"
import { WINDOW_SECONDS } from "./sync-policy.ts"

/** The address of Google's API. The authorization servers are elsewhere. */
export const GOOGLE_HEALTH_BASE_URL = "https://health.googleapis.com"

const scope = (name: string): string => `https://www.googleapis.com/auth/googlehealth.${name}.readonly`

/** Whose account it is. */
export const GOOGLE_HEALTH_SCOPES = [scope("profile")]
/** Without one of them, its data is missing. The settings have the time zone of days. */
export const GOOGLE_HEALTH_OPTIONAL_SCOPES = [
  scope("sleep"),
  scope("activity_and_fitness"),
  scope("health_metrics_and_measurements"),
  scope("settings"),
]
const REQUESTED_SCOPES = [...GOOGLE_HEALTH_SCOPES, ...GOOGLE_HEALTH_OPTIONAL_SCOPES]

const AUTHORIZE = { host: "https://accounts.google.com", path: "/o/oauth2/v2/auth" }
const TOKEN = { host: "https://oauth2.googleapis.com", path: "/token" }
const REVOKE = { host: "https://oauth2.googleapis.com", path: "/revoke" }

interface GoogleOauthOptions extends ExchangeLimits, RetryTools {
  /** Another address than Google's own stands for all of its hosts. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Returns a fresh state of 192 bits. */
export const createState = (): string => randomBytes(24).toString("base64url")

/** Returns the page where the person consents. Only with `consent` does Google give a refresh token again. */
export function authorizeUrl(options: GoogleOauthOptions, input: { state: string; redirectUri: string }): URL {
  const url = oauthUrl(options, AUTHORIZE)
  url.searchParams.set("response_type", "code")
  url.searchParams.set("client_id", options.clientId)
  url.searchParams.set("redirect_uri", input.redirectUri)
  url.searchParams.set("scope", REQUESTED_SCOPES.join(" "))
  url.searchParams.set("state", input.state)
  url.searchParams.set("access_type", "offline")
  url.searchParams.set("prompt", "consent")
  return url
}

/** Exchanges a code for tokens. @throws {AuthorizationRevoked} when the code has expired or was used */
export const exchangeCode = (
  options: GoogleOauthOptions,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<TokenSet> =>
  requestTokens(tokenEndpoint(options), { grant_type: "authorization_code", code, redirect_uri: redirectUri })

/** Returns a new access token. @throws {AuthorizationRevoked} when the grant has ended */
export const refreshTokens = (options: GoogleOauthOptions, refreshToken: string): Promise<TokenSet> =>
  requestTokens(tokenEndpoint(options), { grant_type: "refresh_token", refresh_token: refreshToken })

/** Ends the grant of a token. Google refuses an unknown one, whose grant has ended. */
export async function revokeAccess(options: GoogleOauthOptions, accessToken: string): Promise<void> {
  const url = oauthUrl(options, REVOKE)
  const operation = `POST ${url.pathname}`
  const body = new URLSearchParams({ token: accessToken })
  await withRetries(options, pauseBeforeRepeat, async () => {
    const { status, text } = await exchange(options, operation, url, { method: "POST", body })
    if (status >= 500 || status === 429) throw new VendorUnavailable(`${operation} answered ${status}`)
    if (status >= 400 && !text.includes("invalid_token")) throw new RequestRefused(`${operation} answered ${status}`)
  })
}

const tokenEndpoint = (options: GoogleOauthOptions): TokenEndpoint => ({
  ...options,
  vendorName: "Google Health",
  url: oauthUrl(options, TOKEN),
  // One hour, as in all of Google's examples.
  usualLifetimeSeconds: 3_600,
  readLimits: () => ({}),
  windowSeconds: WINDOW_SECONDS,
  isUsedToken: () => false,
})

function oauthUrl(
  { baseUrl }: GoogleOauthOptions,
  { host, path }: { readonly host: string; readonly path: string },
): URL {
  const base = baseUrl.replace(/\/+$/, "")
  return new URL(`${base === GOOGLE_HEALTH_BASE_URL ? host : base}${path}`)
}

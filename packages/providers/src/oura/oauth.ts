// Oura's OAuth 2.0: authorization code with a confidential client. https://cloud.ouraring.com/docs/authentication
//
// Oura has two authorization servers. An app belongs to the one of the portal where it was registered, and the other refuses it: a code
// that is sent to the wrong one is spent. So the operator says which one it is, and nothing is tried.
import { randomBytes } from "node:crypto"
import type { AppPortal, CodeExchange, TokenSet } from "../contract/adapter.ts"
import { RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import { type ExchangeLimits, exchange } from "../http/exchange.ts"
import { pauseBeforeRepeat, type RetryTools, withRetries } from "../http/retry.ts"
import { requestTokens, scopesOf, type TokenEndpoint } from "../http/token-request.ts"
import { known } from "../normalize/known.ts"
import { readOuraLimits, WINDOW_SECONDS } from "./sync-policy.ts"

/** The person's id, which events name, and the data of each day. */
export const OURA_SCOPES = ["personal", "daily"] as const
/** Without them workouts, heart rates, blood oxygen, tags or the address are missing. */
export const OURA_OPTIONAL_SCOPES = ["workout", "heartrate", "spo2", "tag", "email"] as const
const REQUESTED_SCOPES = [...OURA_SCOPES, ...OURA_OPTIONAL_SCOPES]
/** Answers of the current portal may write it before each scope. */
const SCOPE_PREFIX = "extapi:"

/** The address of Oura's API. The authorization servers are elsewhere. */
export const OURA_BASE_URL = "https://api.ouraring.com"

interface Endpoint {
  readonly host: string
  readonly path: string
}

/** `current`: registered at developer.ouraring.com. `legacy`: at cloud.ouraring.com. */
const ENDPOINTS: Readonly<Record<AppPortal, Readonly<Record<"authorize" | "token" | "revoke", Endpoint>>>> = {
  current: {
    authorize: { host: "https://moi.ouraring.com", path: "/oauth/v2/ext/oauth-authorize" },
    token: { host: "https://moi.ouraring.com", path: "/oauth/v2/ext/oauth-token" },
    revoke: { host: "https://moi.ouraring.com", path: "/oauth/v2/ext/oauth-revoke" },
  },
  legacy: {
    authorize: { host: "https://cloud.ouraring.com", path: "/oauth/authorize" },
    token: { host: OURA_BASE_URL, path: "/oauth/token" },
    revoke: { host: OURA_BASE_URL, path: "/oauth/revoke" },
  },
}

interface OuraOauthOptions extends ExchangeLimits, RetryTools {
  /** Another address than Oura's own stands for all of its hosts. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly portal: AppPortal
}

/** Returns a fresh state of 192 bits. */
export const createState = (): string => randomBytes(24).toString("base64url")

/** Returns the page where the person consents. The person may refuse single scopes there. */
export function authorizeUrl(options: OuraOauthOptions, input: { state: string; redirectUri: string }): URL {
  const url = endpointUrl(options, "authorize")
  url.searchParams.set("response_type", "code")
  url.searchParams.set("client_id", options.clientId)
  url.searchParams.set("redirect_uri", input.redirectUri)
  url.searchParams.set("scope", REQUESTED_SCOPES.join(" "))
  url.searchParams.set("state", input.state)
  return url
}

/**
 * Exchanges a code for tokens. The answer may name no scopes: the redirect has those that the person allowed.
 * @throws {AuthorizationRevoked} when the code has expired or was used
 */
export async function exchangeCode(
  options: OuraOauthOptions,
  { code, redirectUri, scope }: CodeExchange,
): Promise<TokenSet> {
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri } as const
  const tokens = await requestTokens(tokenEndpoint(options), grant)
  return withPlainScopes({ ...known({ scopes: scope ? scopesOf(scope) : undefined }), ...tokens })
}

/** Exchanges a refresh token for a new pair. The old one works once. @throws {AuthorizationRevoked} when Oura no longer accepts it */
export async function refreshTokens(options: OuraOauthOptions, refreshToken: string): Promise<TokenSet> {
  const grant = { grant_type: "refresh_token", refresh_token: refreshToken } as const
  return withPlainScopes(await requestTokens(tokenEndpoint(options), grant))
}

/** Ends the grant of a token. Oura accepts an unknown token too (RFC 7009, 2.2). */
export async function revokeAccess(options: OuraOauthOptions, accessToken: string): Promise<void> {
  const url = endpointUrl(options, "revoke")
  const operation = `POST ${url.pathname}`
  const { clientId, clientSecret } = options
  const body = new URLSearchParams({ token: accessToken, client_id: clientId, client_secret: clientSecret })
  // The legacy server reads the token from the address only.
  if (options.portal === "legacy") url.searchParams.set("access_token", accessToken)
  await withRetries(options, pauseBeforeRepeat, async () => {
    const { status } = await exchange(options, operation, url, { method: "POST", body })
    if (status >= 500 || status === 429) throw new VendorUnavailable(`${operation} answered ${status}`)
    if (status >= 400) throw new RequestRefused(`${operation} answered ${status}`)
  })
}

const withPlainScopes = ({ scopes, ...tokens }: TokenSet): TokenSet => ({
  ...tokens,
  ...known({ scopes: scopes?.map((scope) => scope.replace(SCOPE_PREFIX, "")) }),
})

const tokenEndpoint = (options: OuraOauthOptions): TokenEndpoint => ({
  ...options,
  vendorName: "Oura",
  url: endpointUrl(options, "token"),
  // One day, as in Oura's examples.
  usualLifetimeSeconds: 86_400,
  readLimits: readOuraLimits,
  windowSeconds: WINDOW_SECONDS,
  isUsedToken: ({ error_description: description }) => /refresh token already used/i.test(description),
})

function endpointUrl({ baseUrl, portal }: OuraOauthOptions, name: "authorize" | "token" | "revoke"): URL {
  const { host, path } = ENDPOINTS[portal][name]
  const base = baseUrl.replace(/\/+$/, "")
  return new URL(`${base === OURA_BASE_URL ? host : base}${path}`)
}

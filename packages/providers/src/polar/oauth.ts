// Polar's OAuth 2.0: authorization code with a confidential client, and the registration of the person that follows it.
// https://www.polar.com/accesslink-api/#authentication
//
// An access token lives for years, and there is no refresh token: a token that Polar no longer accepts is the end of the grant.
import { randomBytes } from "node:crypto"
import { z } from "zod"
import type { TokenSet } from "../contract/adapter.ts"
import { AuthorizationRevoked, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import { type ExchangeLimits, exchange } from "../http/exchange.ts"
import { pauseBeforeRepeat, type RetryTools, withRetries } from "../http/retry.ts"
import { requestTokenAnswer, type TokenEndpoint } from "../http/token-request.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { joinToken } from "./api.ts"
import { readPolarLimits, WINDOW_SECONDS } from "./sync-policy.ts"

/** The only one. What it opens is decided by the consents in the person's account. */
export const POLAR_SCOPES = ["accesslink.read_all"] as const

/** The address of Polar's API. The authorization servers are elsewhere. */
export const POLAR_BASE_URL = "https://www.polaraccesslink.com"

const AUTHORIZE = { host: "https://flow.polar.com", path: "/oauth2/authorization" }
const TOKEN = { host: "https://polarremote.com", path: "/v2/oauth2/token" }
const USERS = { host: POLAR_BASE_URL, path: "/v3/users" }

interface PolarOauthOptions extends ExchangeLimits, RetryTools {
  /** Another address than Polar's own stands for all of its hosts. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Returns a fresh state of 192 bits. */
export const createState = (): string => randomBytes(24).toString("base64url")

/** Returns the page where the person consents. */
export function authorizeUrl(options: PolarOauthOptions, input: { state: string; redirectUri: string }): URL {
  const url = addressOf(options, AUTHORIZE)
  url.searchParams.set("response_type", "code")
  url.searchParams.set("client_id", options.clientId)
  url.searchParams.set("redirect_uri", input.redirectUri)
  url.searchParams.set("scope", POLAR_SCOPES.join(" "))
  url.searchParams.set("state", input.state)
  return url
}

/** The person is named here alone. Some answers have the number as text. */
const MemberSchema = z.object({
  x_user_id: z
    .union([z.int().positive(), z.string().regex(/^[0-9A-Za-z_-]{1,64}$/)], { error: "not an id" })
    .transform(String),
})

/**
 * Exchanges a code for a token, and registers the person with the app: without that no data is served.
 * @throws {AuthorizationRevoked} when the code has expired or was used
 * @throws {RequestRefused} `isForbidden` while consents in the person's account are missing
 */
export async function exchangeCode(
  options: PolarOauthOptions,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<TokenSet> {
  const endpoint = tokenEndpoint(options)
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri } as const
  const { tokens, body } = await requestTokenAnswer(endpoint, grant)
  const { x_user_id: memberId } = parseWhole(MemberSchema, body, `POST ${TOKEN.path}`)
  await registerUser(options, memberId, tokens.accessToken)
  return { ...tokens, accessToken: joinToken(memberId, tokens.accessToken) }
}

/** Polar has no refresh tokens. @throws {AuthorizationRevoked} always */
export function refreshTokens(): Promise<TokenSet> {
  return Promise.reject(new AuthorizationRevoked("Polar gives no refresh tokens"))
}

/** 409: the person is registered. */
async function registerUser(options: PolarOauthOptions, memberId: string, token: string): Promise<void> {
  const operation = `POST ${USERS.path}`
  const headers = { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" }
  const init = { method: "POST", headers, body: JSON.stringify({ "member-id": `restwell-${memberId}` }) }
  await withRetries(options, pauseBeforeRepeat, async () => {
    const { status } = await exchange(options, operation, addressOf(options, USERS), init)
    if (status === 409 || (status >= 200 && status < 300)) return
    const message = `${operation} answered ${status}`
    if (status >= 500 || status === 429 || status === 408) throw new VendorUnavailable(message)
    throw new RequestRefused(message, { isForbidden: status === 403 })
  })
}

const tokenEndpoint = (options: PolarOauthOptions): TokenEndpoint => ({
  ...options,
  vendorName: "Polar",
  url: addressOf(options, TOKEN),
  sendsClient: "basic",
  // Ten years, as in Polar's examples.
  usualLifetimeSeconds: 315_359_999,
  readLimits: readPolarLimits,
  windowSeconds: WINDOW_SECONDS,
  isUsedToken: () => false,
})

function addressOf(
  { baseUrl }: PolarOauthOptions,
  { host, path }: { readonly host: string; readonly path: string },
): URL {
  const base = baseUrl.replace(/\/+$/, "")
  return new URL(`${base === POLAR_BASE_URL ? host : base}${path}`)
}

// WHOOP's OAuth 2.0: authorization code with a confidential client. https://developer.whoop.com/docs/developing/oauth
import { randomInt } from "node:crypto"
import type { TokenSet } from "../contract/adapter.ts"
import type { ExchangeLimits } from "../http/exchange.ts"
import type { RetryTools } from "../http/retry.ts"
import { requestTokens, type TokenEndpoint } from "../http/token-request.ts"
import { readWhoopLimits, WINDOW_SECONDS } from "./sync-policy.ts"

/** All data the service reads. Without `offline` there is no refresh token. */
export const WHOOP_SCOPES = [
  "offline",
  "read:cycles",
  "read:sleep",
  "read:recovery",
  "read:workout",
  "read:profile",
  "read:body_measurement",
] as const

const AUTHORIZE = "/oauth/oauth2/auth"
const TOKEN = "/oauth/oauth2/token"

/** "must be eight characters long if you need to generate it yourself" (WHOOP's OAuth page): 62^8, 47 bits, for a single use. */
const STATE_LENGTH = 8
const STATE_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

interface WhoopOauthOptions extends ExchangeLimits, RetryTools {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Returns a fresh state: 8 letters and digits, each equally likely. */
export function createState(): string {
  return Array.from({ length: STATE_LENGTH }, () => STATE_ALPHABET.charAt(randomInt(STATE_ALPHABET.length))).join("")
}

/** Returns the page where the person consents. */
export function authorizeUrl(options: WhoopOauthOptions, input: { state: string; redirectUri: string }): URL {
  const url = oauthUrl(options, AUTHORIZE)
  url.searchParams.set("response_type", "code")
  url.searchParams.set("client_id", options.clientId)
  url.searchParams.set("redirect_uri", input.redirectUri)
  url.searchParams.set("scope", WHOOP_SCOPES.join(" "))
  url.searchParams.set("state", input.state)
  return url
}

/** Exchanges a code for tokens. @throws {AuthorizationRevoked} when the code has expired or was used */
export function exchangeCode(
  options: WhoopOauthOptions,
  input: { code: string; redirectUri: string },
): Promise<TokenSet> {
  return requestTokens(tokenEndpoint(options), {
    grant_type: "authorization_code",
    code: input.code,
    redirect_uri: input.redirectUri,
  })
}

/** Exchanges a refresh token for a new pair. The old pair ends at once. @throws {AuthorizationRevoked} when WHOOP no longer accepts it */
export function refreshTokens(options: WhoopOauthOptions, refreshToken: string): Promise<TokenSet> {
  return requestTokens(tokenEndpoint(options), {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    scope: "offline",
  })
}

const tokenEndpoint = (options: WhoopOauthOptions): TokenEndpoint => ({
  ...options,
  vendorName: "WHOOP",
  url: oauthUrl(options, TOKEN),
  // One hour, as in all of WHOOP's examples.
  usualLifetimeSeconds: 3600,
  readLimits: readWhoopLimits,
  windowSeconds: WINDOW_SECONDS,
  // WHOOP also answers this for a used refresh token. If the description does not name the token, our request is wrong.
  isUsedToken: ({ error, error_description: description }) => error === "invalid_request" && /token/i.test(description),
})

function oauthUrl(options: WhoopOauthOptions, path: string): URL {
  return new URL(`${options.baseUrl.replace(/\/+$/, "")}${path}`)
}

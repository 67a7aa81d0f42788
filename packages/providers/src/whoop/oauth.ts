// WHOOP's OAuth 2.0: authorization code with a confidential client. https://developer.whoop.com/docs/developing/oauth
//
// Token calls bypass the gate: WHOOP's limits are for the data API, and a refresh must not wait behind a backfill.
// A call that was sent is never repeated: a refresh token works once, so a repeat after a lost answer would look like a revoked grant.
import { randomInt } from "node:crypto"
import { z } from "zod"
import type { TokenSet } from "../contract/adapter.ts"
import {
  AuthorizationRevoked,
  ContractViolation,
  type ProviderError,
  RateLimited,
  RequestRefused,
  VendorUnavailable,
} from "../contract/errors.ts"
import { type Answer, type ExchangeLimits, exchange } from "../http/exchange.ts"
import { readJson } from "../http/json.ts"
import { retryAfterSeconds } from "../http/limits.ts"
import { pauseIfNeverSent, type RetryTools, withRetries } from "../http/retry.ts"
import { known } from "../normalize/known.ts"
import { readWhoopLimits, WINDOW_SECONDS } from "./limits.ts"

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

export interface WhoopOauthOptions extends ExchangeLimits, RetryTools {
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
  return requestTokens(options, {
    grant_type: "authorization_code",
    code: input.code,
    redirect_uri: input.redirectUri,
  })
}

/** Exchanges a refresh token for a new pair. The old pair ends at once. @throws {AuthorizationRevoked} when WHOOP no longer accepts it */
export function refreshTokens(options: WhoopOauthOptions, refreshToken: string): Promise<TokenSet> {
  return requestTokens(options, { grant_type: "refresh_token", refresh_token: refreshToken, scope: "offline" })
}

/** The form of a token request, without the client's credentials. */
type Grant =
  | { grant_type: "authorization_code"; code: string; redirect_uri: string }
  | { grant_type: "refresh_token"; refresh_token: string; scope: string }

async function requestTokens(options: WhoopOauthOptions, grant: Grant): Promise<TokenSet> {
  const credentials = { client_id: options.clientId, client_secret: options.clientSecret }
  const body = new URLSearchParams({ ...grant, ...credentials })
  const operation = `POST ${TOKEN} (${grant.grant_type})`
  const headers = { accept: "application/json" }
  const answer = await withRetries(options, pauseIfNeverSent, () =>
    exchange(options, operation, oauthUrl(options, TOKEN), { method: "POST", headers, body }),
  )
  if (answer.status < 200 || answer.status >= 300) throw refusal(answer, operation, grant)
  return readTokens(answer, operation)
}

function oauthUrl(options: WhoopOauthOptions, path: string): URL {
  return new URL(`${options.baseUrl.replace(/\/+$/, "")}${path}`)
}

/** One hour, as in all of WHOOP's examples. */
const USUAL_LIFETIME_SECONDS = 3600
/** 30 days. A token that ends sooner than the vendor says is refreshed when the vendor rejects it. */
const LONGEST_LIFETIME_SECONDS = 30 * 86_400

/** Characters allowed in a header (RFC 6750, 2.1 allows fewer). */
const token = z.string().regex(/^[\x21-\x7e]+$/, { error: "not a token" })

/** Only the access token is required. The old pair has ended, so another wrong field must not cost the new pair. */
const TokenAnswerSchema = z.object({
  access_token: token,
  refresh_token: token.nullish().catch(undefined),
  expires_in: z
    .int()
    .positive()
    .transform((seconds) => Math.min(seconds, LONGEST_LIFETIME_SECONDS))
    .catch(USUAL_LIFETIME_SECONDS),
  scope: z.string().nullish().catch(undefined),
})

/** RFC 6749, 3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/

function readTokens(answer: Answer, operation: string): TokenSet {
  const result = TokenAnswerSchema.safeParse(readJson(answer, operation))
  if (!result.success) {
    const path = result.error.issues[0]?.path.join(".") ?? ""
    throw new ContractViolation(`${operation} answered without an access token`, path, { cause: result.error })
  }
  const { access_token, refresh_token, expires_in, scope } = result.data
  return {
    accessToken: access_token,
    ...known({ refreshToken: refresh_token }),
    expiresInSeconds: expires_in,
    // A scope left out is the requested one (RFC 6749, 5.1 and 6).
    scopes: scope ? scope.split(/\s+/).filter((word) => SCOPE_TOKEN.test(word)) : WHOOP_SCOPES,
  }
}

/** Maps a refused token call to an error. Only OAuth error codes count. Bodies never reach a message. */
function refusal(answer: Answer, operation: string, grant: Grant): ProviderError {
  const { status } = answer
  const message = `${operation} answered ${status}`
  const wait = retryAfterSeconds(answer.headers) ?? readWhoopLimits(answer.headers).resetSeconds
  if (status === 429) return new RateLimited(message, wait ?? WINDOW_SECONDS)
  if (status >= 500 || status === 408) return new VendorUnavailable(message, { retryAfterSeconds: wait })
  const { error, error_description: description } = readOauthError(answer)
  if (error === "invalid_grant") return new AuthorizationRevoked(`${message} invalid_grant`)
  // WHOOP also answers this for a used refresh token. If the description does not name the token, our request is wrong.
  if (grant.grant_type === "refresh_token" && error === "invalid_request" && /token/i.test(description)) {
    return new AuthorizationRevoked(`${message} invalid_request for the refresh token`)
  }
  if (status === 401 || error === "invalid_client") {
    return new RequestRefused(`${message}: the client id or the client secret of the WHOOP app is wrong`)
  }
  return new RequestRefused(message)
}

/** RFC 6749, 5.2. Anything else counts as no code. */
const OauthErrorSchema = z.object({ error: z.string().catch(""), error_description: z.string().catch("") })

function readOauthError(answer: Answer): z.infer<typeof OauthErrorSchema> {
  const nothing = { error: "", error_description: "" }
  try {
    return OauthErrorSchema.safeParse(JSON.parse(answer.text)).data ?? nothing
  } catch {
    // An HTML page or an empty body: only the status counts.
    return nothing
  }
}

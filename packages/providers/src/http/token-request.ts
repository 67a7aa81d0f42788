// Token requests of OAuth 2.0, the same for every vendor with a confidential client.
//
// They bypass the gate: vendors limit the data API, and a refresh must not wait behind a backfill.
// A call that was sent is never repeated: a refresh token works once, so a repeat after a lost answer would look like a revoked grant.
import { z } from "zod"
import type { TokenSet } from "../contract/adapter.ts"
import {
  AppRefused,
  AuthorizationRevoked,
  ContractViolation,
  type ProviderError,
  RateLimited,
  RequestRefused,
  VendorUnavailable,
} from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import { known } from "../normalize/known.ts"
import { type Answer, type ExchangeLimits, exchange, readJson } from "./exchange.ts"
import { type LimitHeaders, pauseIfNeverSent, type RetryTools, retryAfterSeconds, withRetries } from "./retry.ts"

/** A vendor's token endpoint, and the operator's app there. */
export interface TokenEndpoint extends ExchangeLimits, RetryTools {
  /** For messages. */
  readonly vendorName: string
  readonly url: URL
  readonly clientId: string
  readonly clientSecret: string
  /** How the app proves itself: in the form, or by HTTP Basic (RFC 6749, 2.3.1). @default "form" */
  readonly sendsClient?: "form" | "basic"
  /** What the vendor wants in the form beside the parameters of OAuth. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Lifetime of an access token whose answer has no usable one, seconds. */
  readonly usualLifetimeSeconds: number
  readonly readLimits: (headers: Headers) => LimitHeaders
  /** The wait after a 429 that names none, seconds. */
  readonly windowSeconds: number
  /** Returns whether a refusal of a refresh that is not `invalid_grant` still says that the refresh token is used up. */
  readonly isUsedToken: (refusal: OauthRefusal) => boolean
}

/** The form of a token request, without the client's credentials. */
type TokenGrant =
  | { readonly grant_type: "authorization_code"; readonly code: string; readonly redirect_uri: string }
  | { readonly grant_type: "refresh_token"; readonly refresh_token: string; readonly scope?: string }

/**
 * Exchanges a code or a refresh token.
 * @throws {AuthorizationRevoked} when the vendor no longer accepts it
 * @throws {ProviderError} the others of errors.ts, except AccessTokenRejected
 */
export async function requestTokens(endpoint: TokenEndpoint, grant: TokenGrant): Promise<TokenSet> {
  return (await requestTokenAnswer(endpoint, grant)).tokens
}

/** As `requestTokens`, for a vendor whose answer says more than OAuth 2.0. */
export async function requestTokenAnswer(
  endpoint: TokenEndpoint,
  grant: TokenGrant,
): Promise<{ readonly tokens: TokenSet; readonly body: Json }> {
  const { clientId, clientSecret, sendsClient = "form" } = endpoint
  const isBasic = sendsClient === "basic"
  const body = new URLSearchParams({
    ...endpoint.parameters,
    ...grant,
    ...(!isBasic && { client_id: clientId, client_secret: clientSecret }),
  })
  const operation = `POST ${endpoint.url.pathname} (${grant.grant_type})`
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64")
  const headers = { accept: "application/json", ...(isBasic && { authorization: `Basic ${basic}` }) }
  const answer = await withRetries(endpoint, pauseIfNeverSent, () =>
    exchange(endpoint, operation, endpoint.url, { method: "POST", headers, body }),
  )
  if (answer.status < 200 || answer.status >= 300) throw refusal(endpoint, answer, operation, grant)
  const json = readJson(answer, operation)
  return { tokens: readTokens(endpoint, json, operation), body: json }
}

/** 30 days. A token that ends sooner than the vendor says is refreshed when the vendor rejects it. */
const LONGEST_LIFETIME_SECONDS = 30 * 86_400
/** A century. A token that cannot be refreshed lives as long as the vendor says. */
const LONGEST_UNREFRESHED_SECONDS = 100 * 366 * 86_400

/** Characters allowed in a header (RFC 6750, 2.1 allows fewer). */
const token = z.string().regex(/^[\x21-\x7e]+$/, { error: "not a token" })

/** Only the access token is required. The old pair has ended, so another wrong field must not cost the new pair. */
const TokenAnswerSchema = z.object({
  access_token: token,
  refresh_token: token.nullish().catch(undefined),
  expires_in: z.int().positive().optional().catch(undefined),
  scope: z.string().nullish().catch(undefined),
})

/** RFC 6749, 3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/

/** Returns the scopes of a text. Some vendors separate them by commas. */
export const scopesOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => SCOPE_TOKEN.test(word))

function readTokens(endpoint: TokenEndpoint, body: Json, operation: string): TokenSet {
  const result = TokenAnswerSchema.safeParse(body)
  if (!result.success) {
    const path = result.error.issues[0]?.path.join(".") ?? ""
    throw new ContractViolation(`${operation} answered without an access token`, path, { cause: result.error })
  }
  const { access_token, refresh_token, expires_in, scope } = result.data
  return {
    accessToken: access_token,
    ...known({ refreshToken: refresh_token, scopes: scope ? scopesOf(scope) : undefined }),
    expiresInSeconds: Math.min(
      expires_in ?? endpoint.usualLifetimeSeconds,
      refresh_token ? LONGEST_LIFETIME_SECONDS : LONGEST_UNREFRESHED_SECONDS,
    ),
  }
}

/** Maps a refused token call to an error. Only OAuth error codes count. Bodies never reach a message. */
function refusal(endpoint: TokenEndpoint, answer: Answer, operation: string, grant: TokenGrant): ProviderError {
  const { status } = answer
  const message = `${operation} answered ${status}`
  const wait = retryAfterSeconds(answer.headers) ?? endpoint.readLimits(answer.headers).resetSeconds
  if (status === 429) return new RateLimited(message, wait ?? endpoint.windowSeconds)
  if (status >= 500 || status === 408) return new VendorUnavailable(message, { retryAfterSeconds: wait })
  const refused = readOauthRefusal(answer)
  if (refused.error === "invalid_grant") return new AuthorizationRevoked(`${message} invalid_grant`)
  if (grant.grant_type === "refresh_token" && endpoint.isUsedToken(refused)) {
    return new AuthorizationRevoked(`${message} for a refresh token that is used up`)
  }
  if (status === 401 || refused.error === "invalid_client") {
    return new AppRefused(`${message}: the client id or the client secret of the ${endpoint.vendorName} app is wrong`)
  }
  return new RequestRefused(message)
}

/** RFC 6749, 5.2. Anything else counts as no code. */
const OauthRefusalSchema = z.object({ error: z.string().catch(""), error_description: z.string().catch("") })
type OauthRefusal = z.infer<typeof OauthRefusalSchema>

function readOauthRefusal(answer: Answer): OauthRefusal {
  const nothing = { error: "", error_description: "" }
  try {
    return OauthRefusalSchema.safeParse(JSON.parse(answer.text)).data ?? nothing
  } catch {
    // An HTML page or an empty body: only the status counts.
    return nothing
  }
}

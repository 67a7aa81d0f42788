// Withings' OAuth 2.0: authorization code with a confidential client. https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-web-flow/
//
// Only a token's answer names the person. So the id is kept before both tokens, and taken off before they are sent.
import { createHmac, randomBytes } from "node:crypto"
import { z } from "zod"
import type { TokenSet } from "../contract/adapter.ts"
import { ContractViolation, RateLimited, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import { type ExchangeLimits, exchange, readJson } from "../http/exchange.ts"
import { pauseBeforeRepeat, type RetryTools, withRetries } from "../http/retry.ts"
import { requestTokens, type TokenEndpoint } from "../http/token-request.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { meaningOf, tokenMeaningOf } from "./status.ts"
import { WINDOW_SECONDS } from "./sync-policy.ts"

/** The first for nights, activity and workouts, the second for weights, blood pressure and SpO2. What a person leaves out is a gap. */
export const WITHINGS_OPTIONAL_SCOPES = ["user.activity", "user.metrics"] as const

/** The address of Withings' API. The page for consent is elsewhere. */
export const WITHINGS_BASE_URL = "https://wbsapi.withings.net"
const ACCOUNT_URL = "https://account.withings.com"
const AUTHORIZE = "/oauth2_user/authorize2"
const OAUTH = "/v2/oauth2"
const SIGNATURE = "/v2/signature"

interface WithingsOauthOptions extends ExchangeLimits, RetryTools {
  /** Another address than Withings' own stands for all of its hosts. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly now: () => Date
}

/** Returns a fresh state of 192 bits. */
export const createState = (): string => randomBytes(24).toString("base64url")

/** Returns the page where the person consents. The code that it gives lives for 30 seconds. */
export function authorizeUrl(options: WithingsOauthOptions, input: { state: string; redirectUri: string }): URL {
  const base = originOf(options)
  const url = new URL(`${base === WITHINGS_BASE_URL ? ACCOUNT_URL : base}${AUTHORIZE}`)
  url.searchParams.set("response_type", "code")
  url.searchParams.set("client_id", options.clientId)
  url.searchParams.set("redirect_uri", input.redirectUri)
  url.searchParams.set("scope", WITHINGS_OPTIONAL_SCOPES.join(","))
  url.searchParams.set("state", input.state)
  return url
}

/** Exchanges a code for tokens. @throws {AuthorizationRevoked} when the code has expired or was used */
export function exchangeCode(
  options: WithingsOauthOptions,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<TokenSet> {
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri } as const
  return requestTokens(tokenEndpoint(options), grant)
}

/** Exchanges a refresh token for a new pair. @throws {AuthorizationRevoked} when Withings no longer accepts it */
export function refreshTokens(options: WithingsOauthOptions, refreshToken: string): Promise<TokenSet> {
  const { memberId, token } = openToken(refreshToken)
  return requestTokens(tokenEndpoint(options, memberId), { grant_type: "refresh_token", refresh_token: token })
}

/** Ends the grant of a token. A signed call, for which Withings first gives a number that is used once. */
export async function revokeAccess(options: WithingsOauthOptions, accessToken: string): Promise<void> {
  const { memberId } = openToken(accessToken)
  const timestamp = String(Math.floor(options.now().getTime() / 1000))
  const answer = await sign(options, SIGNATURE, { action: "getnonce", timestamp })
  const { nonce } = parseWhole(NonceSchema, answer, `POST ${SIGNATURE}`).body
  await sign(options, OAUTH, { action: "revoke", nonce }, { userid: memberId })
}

const NonceSchema = z.object({ body: z.object({ nonce: z.string().min(1).max(4096) }) })

/** The signature is over the values in the order of their names. @see https://developer.withings.com/developer-guide/v3/get-access/sign-your-requests */
function sign(
  options: WithingsOauthOptions,
  path: string,
  signed: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) {
  const operation = `POST ${path} (${signed["action"]})`
  const values: Readonly<Record<string, string>> = { ...signed, client_id: options.clientId }
  const text = Object.keys(values)
    .toSorted()
    .map((name) => values[name])
    .join(",")
  const signature = createHmac("sha256", options.clientSecret).update(text).digest("hex")
  const body = new URLSearchParams({ ...values, signature, ...more })
  return withRetries(options, pauseBeforeRepeat, async () => {
    const answer = await exchange({ ...options, meaningOf }, operation, new URL(`${originOf(options)}${path}`), {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    })
    const message = `${operation} answered ${answer.status}`
    if (answer.status === 429) throw new RateLimited(message, WINDOW_SECONDS)
    if (answer.status >= 500 || answer.status === 408) throw new VendorUnavailable(message)
    if (answer.status >= 400) throw new RequestRefused(message)
    return readJson(answer, operation)
  })
}

const tokenEndpoint = (options: WithingsOauthOptions, memberId?: string): TokenEndpoint => ({
  ...options,
  vendorName: "Withings",
  url: new URL(`${originOf(options)}${OAUTH}`),
  parameters: { action: "requesttoken" },
  meaningOf: (answer) => tokenMeaningOf(answer, (body) => withMember(body, memberId)),
  // Three hours, as in Withings' examples.
  usualLifetimeSeconds: 10_800,
  readLimits: () => ({}),
  windowSeconds: WINDOW_SECONDS,
  isUsedToken: () => false,
})

/** The person, and a pair. A wrong token is found where all are. */
const PairSchema = z.looseObject({
  userid: z
    .union([z.int().nonnegative(), z.string().regex(/^[0-9A-Za-z_-]{1,64}$/)])
    .transform(String)
    .optional()
    .catch(undefined),
  access_token: z.string(),
  refresh_token: z.string().nullish().catch(undefined),
})

/** Puts the person's id before both tokens. @param known the person whose pair it replaces */
function withMember(body: unknown, known: string | undefined): unknown {
  const pair = PairSchema.safeParse(body).data
  if (pair === undefined) return body
  const memberId = pair.userid ?? known
  if (memberId === undefined) throw new ContractViolation(`POST ${OAUTH} answered without the person`, "userid")
  const { access_token: access, refresh_token: refresh } = pair
  return { ...pair, access_token: `${memberId}.${access}`, refresh_token: refresh && `${memberId}.${refresh}` }
}

interface OpenedToken {
  readonly memberId: string
  /** As Withings gave it. */
  readonly token: string
}

/** Returns whose token it is, and what Withings knows of it. */
export function openToken(stored: string): OpenedToken {
  const end = stored.indexOf(".")
  return { memberId: stored.slice(0, Math.max(0, end)), token: stored.slice(end + 1) }
}

const originOf = ({ baseUrl }: Pick<WithingsOauthOptions, "baseUrl">): string => baseUrl.replace(/\/+$/, "")

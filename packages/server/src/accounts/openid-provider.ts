// An OpenID provider for better-auth: discovery, authorization request, code exchange and ID token. OpenID Connect Core 1.0, 3.1
import { createAuthorizationURL, type OAuthProvider } from "@better-auth/core/oauth2"
import type { Logger } from "@restwell/core"
import { exchange, withoutControls } from "@restwell/providers"
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose"
import { z } from "zod"
import type { IdentityProviderConfig } from "../config/config.ts"
import { emailAddress } from "./request-bodies.ts"

/** Google's largest answer, its discovery document, has 2 KB. */
const LIMITS = { fetch: globalThis.fetch, timeoutMs: 5_000, maxBodyBytes: 65_536 }
const OK = 200

/** An answer of the provider that signs nobody in. The message contains nothing of the answer. */
class Refusal extends Error {
  override readonly name = "Refusal"
}

const address = z.url({ protocol: /^https?$/ })

/** OpenID Connect Discovery 1.0, 3 */
const DiscoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  id_token_signing_alg_values_supported: z.array(z.string()).default(["RS256"]),
})

const TokensSchema = z.object({ id_token: z.string({ error: "is missing" }) })

/** OpenID Connect Core 1.0, 2 and 5.1. Apple writes booleans as text. */
const ClaimsSchema = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  email: emailAddress,
  email_verified: z.union([z.boolean(), z.stringbool()]).catch(false),
  name: z.string().catch(""),
})
type Claims = z.infer<typeof ClaimsSchema>

export interface OpenIdProviderConfig extends IdentityProviderConfig {
  readonly name: string
  readonly scopes: string[]
  /** How the provider sends the browser back. @default "query" */
  readonly responseMode?: "form_post"
}

/** Undefined while the provider does not answer its discovery. Nobody signs in without a verified ID token. */
export async function discoverOpenIdProvider(
  config: OpenIdProviderConfig,
  logger: Logger,
): Promise<OAuthProvider<Claims> | undefined> {
  const { provider, name, clientId, clientSecret, scopes, responseMode } = config
  /** Logs why nobody is signed in. Visitors cause some refusals, so they are warnings. */
  const orNull = async <T>(work: () => Promise<T>): Promise<T | null> =>
    work().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({ provider, reason }, "a sign-in with a provider was refused")
      return null
    })
  const found = await orNull(() => discover(config))
  if (!found) return undefined
  const keys = createRemoteJWKSet(new URL(found.jwks_uri), {
    timeoutDuration: LIMITS.timeoutMs,
    [customFetch]: async (url) => new Response(await readAnswer("the keys", url, {})),
  })
  return {
    id: provider,
    name,
    issuer: found.issuer,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => profile.sub,
    createAuthorizationURL: ({ state, codeVerifier, redirectURI, idTokenNonce }) =>
      createAuthorizationURL({
        id: provider,
        options: { clientId },
        authorizationEndpoint: found.authorization_endpoint,
        state,
        codeVerifier,
        redirectURI,
        scopes,
        nonce: idTokenNonce,
        responseMode,
      }),
    validateAuthorizationCode: ({ code, codeVerifier = "", redirectURI }) =>
      orNull(async () => {
        const body = new URLSearchParams({
          ...{ grant_type: "authorization_code", code, redirect_uri: redirectURI, code_verifier: codeVerifier },
          ...{ client_id: clientId, client_secret: clientSecret },
        })
        const answer = await readAnswer("the token request", found.token_endpoint, { method: "POST", body })
        return { idToken: parse(TokensSchema, "the token answer", toJson(answer)).id_token }
      }),
    getUserInfo: ({ idToken = "", expectedIdTokenNonce }) =>
      orNull(async () => {
        const claims = await readClaims({ idToken, keys, clientId, found, nonce: expectedIdTokenNonce })
        const { email, email_verified: emailVerified } = claims
        return { user: { email, emailVerified, name: withoutControls(nameOf(claims)) }, data: claims }
      }),
  }
}

async function discover({ issuer }: OpenIdProviderConfig): Promise<z.infer<typeof DiscoverySchema>> {
  const answer = await readAnswer("the discovery", `${issuer}/.well-known/openid-configuration`, {})
  const found = parse(DiscoverySchema, "the discovery document", toJson(answer))
  // OpenID Connect Discovery 1.0, 4.3
  if (found.issuer !== issuer) throw new Refusal("the discovery document is of another issuer")
  return found
}

interface IdTokenCheck {
  readonly idToken: string
  readonly keys: JWTVerifyGetKey
  readonly clientId: string
  readonly found: z.infer<typeof DiscoverySchema>
  readonly nonce: string | undefined
}

/** Only the provider's own keys sign an ID token: no algorithm with a shared secret, and none without a signature. */
const PUBLIC_KEY_ALGORITHM = /^(?:RS|PS|ES)\d{3}$|^EdDSA$/

/** The claims of an ID token that the provider signed for this sign-in. OpenID Connect Core 1.0, 3.1.3.7 */
async function readClaims({ idToken, keys, clientId, found, nonce }: IdTokenCheck): Promise<Claims> {
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: found.issuer,
    audience: clientId,
    algorithms: found.id_token_signing_alg_values_supported.filter((name) => PUBLIC_KEY_ALGORITHM.test(name)),
    requiredClaims: ["sub", "exp", "iat", "nonce"],
  })
  const claims = parse(ClaimsSchema, "the ID token", payload)
  if (nonce === undefined || claims.nonce !== nonce) throw new Refusal("the ID token has another nonce")
  const isForOthersToo = Array.isArray(claims.aud) && claims.aud.length > 1
  if ((claims.azp ?? (isForOthersToo ? undefined : clientId)) !== clientId)
    throw new Refusal("the ID token was issued to another client (azp)")
  return claims
}

/** The text of a successful answer, within the limits. */
async function readAnswer(what: string, url: string, init: RequestInit): Promise<string> {
  const headers = { accept: "application/json" }
  const { status, text } = await exchange(LIMITS, what, new URL(url), { ...init, headers })
  if (status !== OK) throw new Refusal(`${what} was answered with status ${status}`)
  return text
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal("the answer is not JSON", { cause })
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Refusal(`${what} cannot be used: ${issue?.path.join(".")} ${issue?.message}`)
}

/** Without a name from the provider, the part of the email address before the @. */
function nameOf({ name, email }: Claims): string {
  const chosen = name.trim() === "" ? (email.split("@")[0] ?? "") : name.trim()
  return chosen.slice(0, 100)
}

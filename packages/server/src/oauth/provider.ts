import { generateKeyPairSync, randomUUID } from "node:crypto"
import {
  type Context,
  createOauthClients,
  createOauthRecords,
  HEALTH_SCOPES,
  readSigningKey,
  takeAttempt,
} from "@restwell/core"
import type { interactionPolicy as InteractionPolicy, JWK, Provider as OidcProvider } from "oidc-provider"
import { z } from "zod"
import { writeErrorPage } from "../http/connector/pages/error-page.ts"
import { networkOf } from "../network/network-of.ts"
import { AUTHORIZATION_PATHS, interactionPath, resourceOf } from "./addresses.ts"
import { checkClientMetadata } from "./client-metadata.ts"
import { oauthAdapter } from "./oauth-adapter.ts"
import { errors, interactionPolicy, Provider } from "./oidc-library.ts"
import { reportFaults } from "./report-provider-errors.ts"
import { keepExchangesWhole } from "./token-exchanges.ts"

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Seconds. A code is used at once (RFC 6749 4.1.2); an access token is short, a refresh token slides with each use; a grant ends when it is revoked. */
const LIFETIMES = {
  AccessToken: 60 * MINUTE,
  AuthorizationCode: MINUTE,
  Grant: 3650 * DAY,
  IdToken: 60 * MINUTE,
  Interaction: 30 * MINUTE,
  RefreshToken: 60 * DAY,
  Session: MINUTE,
}

/** Documents of clients that one visitor may have fetched. */
const DOCUMENTS_PER_NETWORK = { attempts: 60, windowSeconds: 60 }
const DOCUMENT_BYTES = 5 * 1024
const KEYS_BYTES = 16 * 1024

export interface ProviderOptions {
  readonly context: Pick<Context, "database" | "clock" | "cipher" | "logger">
  readonly baseUrl: string
  /** The first signs the cookies of requests under way, all of them are taken. */
  readonly cookieKeys: readonly string[]
  /** Fetches the documents that clients name; it must not reach what only this machine can. */
  readonly fetchDocument: typeof fetch
}

/** The library, set up as our authorization server: RFC 6749 with the rules of OAuth 2.1 and MCP. */
export async function createProvider(options: ProviderOptions): Promise<OidcProvider> {
  const { context, baseUrl, cookieKeys, fetchDocument } = options
  const resource = resourceOf(baseUrl)
  const records = createOauthRecords(context)
  const clients = createOauthClients(context)
  const signingKey = SigningKeySchema.parse(JSON.parse(await readSigningKey(context, makeSigningKey)))
  const cookie = { httpOnly: true, sameSite: "lax" as const, signed: true, overwrite: true }
  const provider = new Provider(baseUrl, {
    adapter: oauthAdapter({ records, clients, clock: context.clock }),
    jwks: { keys: [signingKey] },
    routes: AUTHORIZATION_PATHS,
    scopes: [...HEALTH_SCOPES, "offline_access", "openid"],
    claims: { openid: ["sub"] },
    responseTypes: ["code"],
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    // Desktop programs and sites alike: each address is judged by our own rule, and a loopback's port may be any (RFC 8252 7.3).
    clientDefaults: { application_type: "native", grant_types: ["authorization_code", "refresh_token"] },
    extraClientMetadata: {
      properties: ["software_id"],
      validator: (_context, _key, _value, metadata) => checkClientMetadata(metadata),
    },
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    // RFC 6749 4.1.3: who named an address when asking names it again.
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    ttl: LIFETIMES,
    cookies: {
      keys: [...cookieKeys],
      names: { session: "restwell.oauth_session", interaction: "restwell.oauth", resume: "restwell.oauth_resume" },
      long: { ...cookie, path: "/oauth" },
      short: cookie,
    },
    findAccount: async (_context, accountId) =>
      (await records.hasPerson(accountId)) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
    // Each authorization is a grant of its own: what one program gives back, another keeps.
    loadExistingGrant: async (koa) => {
      const grantId = koa.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : koa.oidc.provider.Grant.find(grantId)
    },
    interactions: { url: (_context, { uid }) => interactionPath(uid), policy: askThePerson() },
    fetch: fetchDocument,
    fetchResponseBodyLimits: { "client_id metadata document": DOCUMENT_BYTES, jwks_uri: KEYS_BYTES },
    renderError: (koa, { error, error_description: description }) => writeErrorPage(koa, error, description),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => client.clientId === token.clientId,
      },
      registration: {
        enabled: true,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
        idFactory: () => randomUUID(),
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: async (koa) =>
          (await takeAttempt(context, `client-document/${networkOf(koa.ip)}`, DOCUMENTS_PER_NETWORK)) === 0,
        cacheDuration: { min: MINUTE, max: 60 * MINUTE },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget()
          return { scope: HEALTH_SCOPES.join(" "), audience: resource, accessTokenFormat: "opaque" }
        },
      },
    },
  })
  provider.proxy = true
  keepExchangesWhole(provider, records, AUTHORIZATION_PATHS.token)
  reportFaults(provider, context.logger)
  return provider
}

/** Every authorization asks the person: assistants connect seldom, and a page that is always shown cannot be skipped by another site. */
function askThePerson(): InteractionPolicy.Prompt[] {
  const { Prompt, Check } = interactionPolicy
  const consent = new Check("not_authorized", "the person has not authorized it yet", "consent_required", (koa) =>
    koa.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  )
  return [
    new Prompt({ name: "login", requestable: true }),
    new Prompt({ name: "select_account", requestable: true }),
    new Prompt({ name: "consent", requestable: true }, consent),
  ]
}

const SigningKeySchema = z.custom<JWK>(
  (value) => z.looseObject({ kty: z.literal("RSA"), d: z.string() }).safeParse(value).success,
)

function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" })
}

import { randomUUID } from "node:crypto"
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import { type Context, databaseTrouble, HEALTH_SCOPES, takeAttempt } from "@restwell/core"
import type { Configuration, Provider } from "oidc-provider"
import { networkOf } from "../network/addresses.ts"
import { AUTHORIZATION_PATHS } from "./addresses.ts"
import { checkClientMetadata } from "./clients.ts"
import { errors } from "./oidc-library.ts"

const MINUTE = MINUTE_MS / SECOND_MS
const DAY = DAY_MS / SECOND_MS

/** Seconds. A code is used at once (RFC 6749 4.1.2). Each use extends a refresh token. A grant lasts until it is revoked. */
const LIFETIMES = {
  AuthorizationCode: MINUTE,
  Grant: 3650 * DAY,
  IdToken: 60 * MINUTE,
  Interaction: 30 * MINUTE,
  RefreshToken: 60 * DAY,
  Session: MINUTE,
}

/** Client documents that one visitor may have fetched. */
const DOCUMENTS_PER_NETWORK = { attempts: 60, windowSeconds: 60 }
/** The largest document of a client. */
export const DOCUMENT_BYTES = 5 * 1024
const KEYS_BYTES = 16 * 1024

const COOKIE = { httpOnly: true, sameSite: "lax", signed: true, overwrite: true } as const

/** Settings that are the same for every installation: OAuth 2.1 and MCP. */
export const PROVIDER_SETTINGS = {
  routes: AUTHORIZATION_PATHS,
  scopes: [...HEALTH_SCOPES, "offline_access", "openid"],
  claims: { openid: ["sub"] },
  responseTypes: ["code"],
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
  // `native` for all clients: clients.ts checks each URI, and a loopback may use any port (RFC 8252 7.3).
  clientDefaults: { application_type: "native", grant_types: ["authorization_code", "refresh_token"] },
  extraClientMetadata: {
    properties: ["software_id"],
    validator: (_context, _key, _value, metadata) => checkClientMetadata(metadata),
  },
  clientBasedCORS: () => true,
  pkce: { required: () => true },
  // RFC 6749 4.1.3: a token request must repeat the redirect URI of its authorization request.
  allowOmittingSingleRegisteredRedirectUri: false,
  rotateRefreshToken: true,
  issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
  expiresWithSession: async () => false,
  fetchResponseBodyLimits: { "client_id metadata document": DOCUMENT_BYTES, jwks_uri: KEYS_BYTES },
  // Each authorization is a grant of its own, so revoking one leaves the others.
  loadExistingGrant: async (koa) => {
    const grantId = koa.oidc.result?.consent?.grantId
    return grantId === undefined ? undefined : koa.oidc.provider.Grant.find(grantId)
  },
} satisfies Configuration

/** Lives of what is issued, in seconds. */
export const lifetimes = (accessTokenSeconds: number): Configuration["ttl"] => ({
  ...LIFETIMES,
  AccessToken: accessTokenSeconds,
})

export const cookieSettings = (keys: readonly string[]): Configuration["cookies"] => ({
  keys: [...keys],
  names: { session: "restwell.oauth_session", interaction: "restwell.oauth", resume: "restwell.oauth_resume" },
  long: { ...COOKIE, path: "/oauth" },
  short: COOKIE,
})

/** @param resource the only resource of access tokens, the connector. RFC 8707 */
export const providerFeatures = (
  context: Pick<Context, "database" | "clock">,
  resource: string,
): Configuration["features"] => ({
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
})

const RETRY_AFTER_SECONDS = "2"

/** Logs the library's internal errors. The token endpoint answers 503 while the database is down. */
export function reportErrors(provider: Provider, logger: Context["logger"]): void {
  provider.on("server_error", (koa, error) => {
    logger.error({ err: error, path: koa.path }, "authorization server")
    const trouble = databaseTrouble(error)
    if (trouble === undefined || koa.path !== AUTHORIZATION_PATHS.token) return
    koa.status = 503
    koa.set("retry-after", RETRY_AFTER_SECONDS)
    koa.body = { error: "temporarily_unavailable", error_description: trouble }
  })
  // Koa's own handler writes to the terminal.
  provider.onerror = (error) => logger.error({ err: error }, "authorization server")
}

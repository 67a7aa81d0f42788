import { generateKeyPairSync, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import {
  allowAssistant,
  type Context,
  createOauthClients,
  createOauthRecords,
  HEALTH_SCOPES,
  type HealthScope,
  isHealthScope,
  readSigningKey,
  takeAttempt,
} from "@restwell/core"
import Provider, { errors, type Interaction, interactionPolicy, type JWK } from "oidc-provider"
import { z } from "zod"
import { networkOf } from "../accounts/network-of.ts"
import { isDatabaseDown } from "../http/database-down.ts"
import { AUTHORIZATION_PATHS, interactionPath, resourceOf } from "./addresses.ts"
import { checkClientMetadata } from "./client-metadata.ts"
import { type AuthorizingClient, describeClient } from "./describe-client.ts"
import { keepExchangesWhole } from "./exchanges.ts"
import { oauthAdapter } from "./oauth-adapter.ts"
import { writeErrorPage } from "./pages/error-page.ts"

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

/** What a person is asked, by the authorization request that waits for them. */
export interface PendingAuthorization {
  readonly id: string
  readonly client: AuthorizingClient
  /** What the client asks for of what there is. */
  readonly scopes: readonly HealthScope[]
  /** The person has to show anew who they are, after this moment. */
  readonly signInAfter: Date | undefined
}

export interface Decision {
  readonly userId: string
  readonly signedInAt: Date
  readonly scopes: readonly HealthScope[]
  readonly days: number | null
}

/** The authorization server (OAuth 2.1), behind a face of our own: what does it can be replaced. */
export interface AuthorizationServer {
  /** Answers a request to one of its endpoints, on the wire. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The authorization that waits for the person in this browser; undefined when it has ended or is another's. */
  findPending(request: IncomingMessage, response: ServerResponse): Promise<PendingAuthorization | undefined>
  /** The person said yes. */
  allow(request: IncomingMessage, response: ServerResponse, decision: Decision): Promise<void>
  /** The person said no; the client is told so. RFC 6749 4.1.2.1 */
  deny(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export interface AuthorizationServerOptions {
  readonly context: Pick<Context, "database" | "clock" | "cipher" | "logger">
  readonly baseUrl: string
  /** Signs the cookies of requests under way. */
  readonly cookieKey: string
  /** Fetches the documents that clients name; it must not reach what only this machine can. */
  readonly fetchDocument: typeof fetch
}

export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { context } = options
  const provider = await createProvider(options)
  const find = async (request: IncomingMessage, response: ServerResponse): Promise<Interaction | undefined> => {
    try {
      return await provider.interactionDetails(request, response)
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }
  const require = async (request: IncomingMessage, response: ServerResponse): Promise<Interaction> => {
    const interaction = await find(request, response)
    if (!interaction) throw new Error("an authorization was decided that does not wait")
    return interaction
  }
  const callback = provider.callback()
  return {
    answer: async (request, response) => void (await callback(request, response)),
    async findPending(request, response) {
      const interaction = await find(request, response)
      if (!interaction || interaction.result !== undefined) return undefined
      const { client_id, redirect_uri, scope, prompt, max_age } = ParametersSchema.parse(interaction.params)
      const client = await provider.Client.find(client_id)
      if (!client) return undefined
      return {
        id: interaction.uid,
        client: describeClient(client, redirect_uri),
        scopes: scopesOf(scope),
        signInAfter: signInAfterOf(interaction, prompt, max_age, context.clock.now()),
      }
    },
    async allow(request, response, { userId, signedInAt, scopes, days }) {
      const interaction = await require(request, response)
      const { client_id, redirect_uri, scope } = ParametersSchema.parse(interaction.params)
      const client = await provider.Client.find(client_id)
      if (!client) throw new Error("the client of a waiting authorization is gone")
      const grant = new provider.Grant({ accountId: userId, clientId: client_id })
      const asked = scopesOf(scope)
      const allowed = asked.filter((one) => scopes.includes(one))
      grant.addResourceScope(resourceOf(options.baseUrl), allowed.join(" "))
      if (scope.split(" ").includes("openid")) grant.addOIDCScope("openid")
      const grantId = await grant.save()
      const { clientId, name, verifiedHost, redirectHost } = describeClient(client, redirect_uri)
      const declined = asked.filter((one) => !allowed.includes(one))
      const assistant = { clientId, name, verifiedHost, redirectHost, scopes: allowed, declined, days }
      await allowAssistant(context, userId, assistant)
      const ts = Math.floor(signedInAt.getTime() / 1000)
      await provider.interactionResult(request, response, {
        login: { accountId: userId, remember: false, ts },
        consent: { grantId },
        select_account: {},
      })
    },
    async deny(request, response) {
      await require(request, response)
      const refusal = { error: "access_denied", error_description: "the person said no" }
      await provider.interactionResult(request, response, refusal, { mergeWithLastSubmission: false })
    },
  }
}

const ParametersSchema = z.looseObject({
  client_id: z.string(),
  redirect_uri: z.string(),
  scope: z.string().default(""),
  prompt: z.string().default(""),
  max_age: z.coerce.number().optional(),
})

const scopesOf = (scope: string): HealthScope[] => scope.split(" ").filter(isHealthScope)

/** OpenID Connect Core 3.1.2.1: `prompt=login` and `max_age` ask for a sign-in that is young enough. */
function signInAfterOf(
  { iat }: Interaction,
  prompt: string,
  maxAgeSeconds: number | undefined,
  now: Date,
): Date | undefined {
  if (prompt.split(" ").includes("login")) return new Date(iat * 1000)
  return maxAgeSeconds === undefined ? undefined : new Date(now.getTime() - maxAgeSeconds * 1000)
}

async function createProvider(options: AuthorizationServerOptions): Promise<Provider> {
  const { context, baseUrl, cookieKey, fetchDocument } = options
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
      keys: [cookieKey],
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
function askThePerson(): interactionPolicy.Prompt[] {
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

const RETRY_AFTER_SECONDS = "2"

/** Faults of ours go to the log; a database that is away is said to be that. */
function reportFaults(provider: Provider, logger: Context["logger"]): void {
  provider.on("server_error", (koa, error) => {
    logger.error({ err: error, path: koa.path }, "authorization server")
    if (!isDatabaseDown(error) || koa.path !== AUTHORIZATION_PATHS.token) return
    koa.status = 503
    koa.set("retry-after", RETRY_AFTER_SECONDS)
    koa.body = {
      error: "temporarily_unavailable",
      error_description: "the database does not answer, try again in a moment",
    }
  })
  // In place of Koa's own, which writes to the terminal.
  provider.onerror = (error) => logger.error({ err: error }, "authorization server")
}

const SigningKeySchema = z.custom<JWK>(
  (value) => z.looseObject({ kty: z.literal("RSA"), d: z.string() }).safeParse(value).success,
)

function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" })
}

import {
  AlreadyUsed,
  type Clock,
  type Context,
  createOauthClients,
  createOauthRecords,
  type OauthClients,
  type OauthRecords,
} from "@restwell/core"
import { isStorableText } from "@restwell/providers"
import type {
  Adapter,
  AdapterPayload,
  interactionPolicy as InteractionPolicy,
  JWK,
  Provider as OidcProvider,
} from "oidc-provider"
import { z } from "zod"
import { AUTHORIZATION_PATHS, interactionPath, resourceOf } from "./addresses.ts"
import { narrowDocument } from "./narrow-metadata.ts"
import { errors, interactionPolicy, Provider } from "./oidc-library.ts"
import {
  cookieSettings,
  DOCUMENT_BYTES,
  lifetimes,
  PROVIDER_SETTINGS,
  providerFeatures,
  reportErrors,
} from "./provider-settings.ts"

export interface ProviderOptions {
  readonly context: Pick<Context, "database" | "clock" | "cipher" | "logger">
  readonly baseUrl: string
  /** Signs ID tokens. */
  readonly signingKey: JWK
  /** The first one signs the cookies of pending authorizations. All of them are accepted. */
  readonly cookieKeys: readonly string[]
  /** Fetches the documents that clients name. It must not reach private addresses. */
  readonly fetchDocument: typeof fetch
  /** Life of an access token. */
  readonly accessTokenSeconds: number
  /** The page for errors that cannot go back to the client. */
  readonly errorPage: (error: string, description: string | undefined) => string
}

/** oidc-provider as our authorization server. */
export function createProvider(options: ProviderOptions): OidcProvider {
  const { context, baseUrl } = options
  const records = createOauthRecords(context)
  const clients = createOauthClients(context)
  const provider = new Provider(baseUrl, {
    ...PROVIDER_SETTINGS,
    ttl: lifetimes(options.accessTokenSeconds),
    adapter: oauthAdapter({ records, clients, clock: context.clock }),
    jwks: { keys: [options.signingKey] },
    cookies: cookieSettings(options.cookieKeys),
    features: providerFeatures(context, resourceOf(baseUrl)),
    findAccount: async (_context, accountId) =>
      (await records.hasPerson(accountId)) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
    interactions: { url: (_context, { uid }) => interactionPath(uid), policy: alwaysAskForConsent() },
    fetch: narrowingFetch(options.fetchDocument),
    renderError: (koa, { error, error_description: description }) => {
      koa.type = "html"
      koa.body = options.errorPage(error, description)
    },
  })
  provider.proxy = true
  exchangeInTransaction(provider, records, AUTHORIZATION_PATHS.token)
  reportErrors(provider, context.logger)
  return provider
}

/** Narrows the documents that clients publish of themselves. Other documents, as keys, and those that are too large stay as they are. */
const narrowingFetch =
  (fetchDocument: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await fetchDocument(input, init)
    if (response.status !== 200) return response
    const text = await response.text()
    const document =
      Buffer.byteLength(text) <= DOCUMENT_BYTES ? ClientDocumentSchema.safeParse(jsonOf(text)).data : undefined
    const { status, headers } = response
    return new Response(document ? JSON.stringify(narrowDocument(document)) : text, { status, headers })
  }

const ClientDocumentSchema = z.looseObject({ client_id: z.string() })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every authorization asks the person. Assistants connect seldom, and another site cannot skip a page that always shows. */
function alwaysAskForConsent(): InteractionPolicy.Prompt[] {
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

const PayloadSchema = z.record(z.string(), z.unknown())

interface OauthStores {
  readonly records: OauthRecords
  readonly clients: OauthClients
  readonly clock: Clock
}

/** Stores oidc-provider's records in our tables. @see its documentation, "adapter" */
const oauthAdapter = (stores: OauthStores) => (kind: string) =>
  kind === "Client" ? clientAdapter(stores) : recordAdapter(stores, kind)

function recordAdapter({ records, clients, clock }: OauthStores, kind: string): Adapter {
  return {
    ...unusedFinders,
    async upsert(id, { jti: _, ...payload }, expiresInSeconds = 0) {
      await records.put(kind, id, payload, new Date(clock.now().getTime() + expiresInSeconds * 1000))
      if (kind === "AuthorizationCode" && payload.clientId !== undefined) await clients.touch(payload.clientId)
    },
    async find(id) {
      const record = await records.find(kind, id)
      if (!record) return undefined
      const payload: AdapterPayload = { ...PayloadSchema.parse(record.payload), jti: id }
      // A record with a stored reply may be a repeated request. `consume` decides whether it is a replay.
      if (record.consumedAt && !record.hasReply) payload.consumed = Math.floor(record.consumedAt.getTime() / 1000)
      return payload
    },
    async consume(id) {
      try {
        await records.consume(kind, id)
      } catch (error) {
        if (!(error instanceof AlreadyUsed)) throw error
        throw new errors.InvalidGrant("it was already used")
      }
    },
    destroy: (id) => records.remove(kind, id),
    revokeByGrantId: (grantId) => records.removeGrant(grantId),
  }
}

function clientAdapter({ clients }: OauthStores): Adapter {
  return {
    ...unusedFinders,
    upsert: (id, metadata) => clients.put(id, metadata),
    // An id also comes from places that no parser of ours sees, such as Basic credentials and client assertions.
    async find(id) {
      if (!isStorableText(id)) return undefined
      // The person decides about scopes at each authorization, so the ones of the registration bound nothing.
      const { scope: _, ...client } = (await clients.find(id)) ?? {}
      return "client_id" in client ? client : undefined
    },
    destroy: (id) => clients.remove(id),
    async consume() {},
    async revokeByGrantId() {},
  }
}

/** For device codes and for sessions that end tokens. We use neither. */
const unusedFinders = {
  async findByUserCode() {
    return undefined
  },
  async findByUid() {
    return undefined
  },
}

const TokenReplySchema = z.looseObject({ refresh_token: z.string().optional(), expires_in: z.number().optional() })
const RefreshSchema = z.looseObject({ grant_type: z.literal("refresh_token"), refresh_token: z.string() })

/**
 * Makes the token endpoint consume a code or refresh token in one transaction with the tokens it issues. A second request with the same
 * refresh token gets the response of the first, after the library has authenticated the client and checked the grant. @see RFC 9700 4.14.2
 */
function exchangeInTransaction(provider: OidcProvider, records: OauthRecords, tokenPath: string): void {
  provider.use(async (context, next) => {
    if (context.path !== tokenPath || context.method !== "POST") return next()
    let isLost = false
    await records.exchange(async (exchange) => {
      await next()
      isLost = exchange.isLost
      if (context.status !== 200) return false
      await keepReply(records, { parameters: context["oidc"]?.params, reply: context.body })
      return true
    })
    const first = isLost ? await firstReply(records, context["oidc"]?.params) : undefined
    if (!first) return
    context.status = 200
    context.body = first
  })
}

interface Exchange {
  readonly parameters: unknown
  readonly reply: unknown
}

/** The refresh token of the request, if there is one. */
const presentedToken = (parameters: unknown): string | undefined => {
  const parsed = RefreshSchema.safeParse(parameters)
  return parsed.success ? parsed.data.refresh_token : undefined
}

async function keepReply(records: OauthRecords, { parameters, reply }: Exchange): Promise<void> {
  const token = presentedToken(parameters)
  const { refresh_token: successor } = TokenReplySchema.parse(reply)
  if (token === undefined || successor === undefined || successor === token) return
  await records.storeReply({ token, successor, reply: JSON.stringify(reply) })
}

/** The response to the first request; undefined once it has expired. */
async function firstReply(records: OauthRecords, parameters: unknown): Promise<object | undefined> {
  const token = presentedToken(parameters)
  const kept = token === undefined ? undefined : await records.findReply(token)
  if (!kept) return undefined
  const reply = TokenReplySchema.parse(JSON.parse(kept.reply))
  return { ...reply, expires_in: Math.max(1, (reply.expires_in ?? 1) - kept.ageSeconds) }
}

import { type Context, createOauthClients, createOauthRecords } from "@restwell/core"
import type { interactionPolicy as InteractionPolicy, Provider as OidcProvider } from "oidc-provider"
import { AUTHORIZATION_PATHS, interactionPath, resourceOf } from "./addresses.ts"
import { oauthAdapter } from "./oauth-adapter.ts"
import { interactionPolicy, Provider } from "./oidc-library.ts"
import { cookieSettings, lifetimes, PROVIDER_SETTINGS, providerFeatures, reportErrors } from "./provider-settings.ts"
import { openSigningKey } from "./signing-key.ts"
import { exchangeInTransaction } from "./token-exchanges.ts"

export interface ProviderOptions {
  readonly context: Pick<Context, "database" | "clock" | "cipher" | "logger">
  readonly baseUrl: string
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
export async function createProvider(options: ProviderOptions): Promise<OidcProvider> {
  const { context, baseUrl } = options
  const records = createOauthRecords(context)
  const clients = createOauthClients(context)
  const provider = new Provider(baseUrl, {
    ...PROVIDER_SETTINGS,
    ttl: lifetimes(options.accessTokenSeconds),
    adapter: oauthAdapter({ records, clients, clock: context.clock }),
    jwks: { keys: [await openSigningKey(context)] },
    cookies: cookieSettings(options.cookieKeys),
    features: providerFeatures(context, resourceOf(baseUrl)),
    findAccount: async (_context, accountId) =>
      (await records.hasPerson(accountId)) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
    interactions: { url: (_context, { uid }) => interactionPath(uid), policy: alwaysAskForConsent() },
    fetch: options.fetchDocument,
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

import { AsyncLocalStorage } from "node:async_hooks"
import { type Context, type Logger, NotFound, recordSecurityEvent, type SecurityEvent } from "@restwell/core"
import { APIError, type BetterAuthPlugin } from "better-auth"
import type { IdentityProviderConfig } from "../config/config.ts"
import { networkOf } from "../network/addresses.ts"
import type { KnownBrowsers } from "./account-request.ts"
import { countNamelessSignIn } from "./attempt-limits.ts"
import { type AccountsOptions, type Auth, createAuth } from "./better-auth.ts"
import { endedInvitation, invitationIn, isInvited } from "./invitations.ts"
import { discoverOpenIdProvider } from "./openid-provider.ts"

export const PROVIDER_NAMES: Readonly<Record<IdentityProviderConfig["provider"], string>> = {
  google: "Google",
  apple: "Apple",
}

/** Apple sends the name in a form, and only when asked so. @see https://developer.apple.com/documentation/signinwithapplerestapi */
const SCOPES: Readonly<Record<IdentityProviderConfig["provider"], string[]>> = {
  google: ["openid", "email", "profile"],
  apple: ["openid", "email", "name"],
}

/** A social provider for each that answers its discovery now. */
const identityPlugin = (providers: readonly IdentityProviderConfig[], logger: Logger) =>
  ({
    id: "identity-providers",
    async init({ socialProviders }) {
      const found = await Promise.all(
        providers.map((config) => {
          const { provider } = config
          const responseMode = provider === "apple" ? { responseMode: "form_post" as const } : {}
          const described = { ...config, name: PROVIDER_NAMES[provider], scopes: SCOPES[provider], ...responseMode }
          return discoverOpenIdProvider(described, logger)
        }),
      )
      return { context: { socialProviders: [...found.filter((one) => one !== undefined), ...socialProviders] } }
    },
  }) satisfies BetterAuthPlugin

/** The result of one sign-in. */
interface ProviderSignInResult {
  userId?: string
  isNew?: boolean
  /** The token of the invitation that the browser has opened. */
  invitation?: string | undefined
  isInvited?: boolean
}

/**
 * An equal email address does not link accounts: addresses are not verified here, so an impostor would share the account. The provider's
 * tokens are not stored.
 * @param current the result of the sign-in that runs, to read and to add to
 */
const identityRules = (
  context: Pick<Context, "database" | "clock" | "logger">,
  signUp: () => "open" | "closed",
  current: () => ProviderSignInResult,
) => ({
  account: { accountLinking: { disableImplicitLinking: true }, updateAccountOnSignIn: false },
  databaseHooks: {
    user: {
      create: {
        before: async ({ email }: { email: string }) => {
          const result = current()
          result.isInvited = await isInvited(context, { token: result.invitation, email })
          if (result.isInvited || signUp() === "open") return
          throw new APIError("FORBIDDEN", {
            code: result.invitation === undefined ? "SIGN_UP_CLOSED" : "INVITATION_INVALID",
          })
        },
        after: async ({ id }: { id: string }) => void Object.assign(current(), { userId: id, isNew: true }),
      },
    },
    session: { create: { after: async ({ userId }: { userId: string }) => void Object.assign(current(), { userId }) } },
    account: {
      create: {
        before: async (account: object) => ({
          data: { ...account, accessToken: null, refreshToken: null, idToken: null },
        }),
      },
    },
  },
})

/** Signing in with an account at an identity provider. Every response redirects the browser. */
export interface ProviderSignIn {
  /**
   * Redirects to the provider's page, with state, nonce and PKCE.
   * @param next the consent page to open afterwards; any other path opens the dashboard
   * @throws {NotFound} if the provider is not configured @throws {TooManyAttempts} because each attempt costs a row
   */
  begin(provider: string, headers: Headers, address: string, next?: string): Promise<Redirect>
  /** Signs in when the browser comes back, and redirects to the dashboard, or to the sign-in page with the problem. */
  complete(provider: string, request: Request, address: string): Promise<Redirect>
}

export interface Redirect {
  readonly location: string
  readonly headers: Headers
}

/** The consent page of an assistant's authorization request. */
const CONSENT_PAGE = /^\/oauth\/consent\/[\w-]{1,64}$/

/** Problems that the sign-in page can explain, by the library's error. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:access_denied|user_cancelled_authorize)$/, "access_denied"],
  [/^account_not_linked$/, "email_taken"],
  [/^SIGN_UP_CLOSED$/, "sign_up_closed"],
  [/^INVITATION_INVALID$/, "invitation_invalid"],
  [/^(?:state_|please_restart)/, "expired"],
]

export function createProviderSignIn(options: AccountsOptions, knownBrowsers: KnownBrowsers): ProviderSignIn {
  const { baseUrl, context, identityProviders } = options
  const problemPage = (problem: string, next?: string | null): string =>
    `${baseUrl}/sign-in?${new URLSearchParams({ ...(next && { next }), problem })}`
  const failed = (): Redirect => ({ location: problemPage("failed"), headers: new Headers() })
  const signIns = new AsyncLocalStorage<ProviderSignInResult>()
  const current = () => signIns.getStore() ?? {}
  let latest: Auth | undefined
  const requireConfigured = (provider: string): void => {
    if (!identityProviders.some((known) => known.provider === provider))
      throw new NotFound("this sign-in provider is not configured")
  }
  /** Undefined while the provider does not answer its discovery. The next sign-in tries again, and simultaneous ones share a try. */
  const authFor = async (provider: string): Promise<Auth | undefined> => {
    latest ??= createProviderAuth(options, current)
    const auth = latest
    const { socialProviders } = await auth.$context
    const answered = socialProviders.map(({ id }) => id)
    const isComplete = identityProviders.every((known) => answered.includes(known.provider))
    if (!isComplete && latest === auth) latest = undefined
    return answered.includes(provider) ? auth : undefined
  }
  return {
    async begin(provider, headers, address, next) {
      requireConfigured(provider)
      await countNamelessSignIn(context, address)
      const auth = await authFor(provider)
      if (!auth) return failed()
      const consent = next !== undefined && CONSENT_PAGE.test(next) ? next : undefined
      const body = {
        provider,
        callbackURL: `${baseUrl}${consent ?? "/"}`,
        errorCallbackURL: `${baseUrl}/sign-in${consent === undefined ? "" : `?${new URLSearchParams({ next: consent })}`}`,
        disableRedirect: true,
      }
      const { response, headers: sent } = await auth.api.signInSocial({ body, headers, returnHeaders: true })
      return response.url ? { location: response.url, headers: sent } : failed()
    },
    async complete(provider, request, address) {
      requireConfigured(provider)
      const auth = await authFor(provider)
      if (!auth) return failed()
      const result: ProviderSignInResult = { invitation: invitationIn(request.headers) }
      const answer = await signIns
        .run(result, () => auth.handler(request))
        .catch((error: unknown) => {
          context.logger.error({ provider, err: error }, "could not complete a sign-in with a provider")
        })
      if (!answer) return failed()
      const { status, headers } = answer
      await recordSignIn(context, result, { detail: provider, network: networkOf(address) })
      if (result.isInvited) headers.append("set-cookie", endedInvitation(baseUrl))
      if (result.userId !== undefined)
        headers.append("set-cookie", await knownBrowsers.remember(request.headers, result.userId))
      const target = URL.parse(headers.get("location") ?? "", baseUrl)
      if (status !== 302 || target === null) {
        // Below 500 it is the visitor's mistake, such as a callback without its state.
        context.logger[status < 500 ? "debug" : "error"](
          { provider, status },
          "could not complete a sign-in with a provider",
        )
        return failed()
      }
      const code = target.searchParams.get("error")
      // better-auth answers Apple's form with a redirect to the same path, with its fields as parameters.
      const isRedirectedForm = request.method === "POST" && target.pathname.startsWith("/api/auth/callback/")
      if (isRedirectedForm) return { location: `${baseUrl}${target.pathname}${target.search}`, headers }
      if (code === null) return { location: `${baseUrl}${target.pathname}`, headers }
      return { location: problemPage(problemOf(code), target.searchParams.get("next")), headers }
    },
  }
}

const problemOf = (code: string): string => PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? "failed"

async function recordSignIn(
  context: Pick<Context, "database" | "clock">,
  { userId, isNew = false, isInvited = false }: ProviderSignInResult,
  how: Pick<SecurityEvent, "detail" | "network">,
): Promise<void> {
  if (userId === undefined) return
  if (isNew) await recordSecurityEvent(context, userId, { type: "account_created", ...how })
  if (isNew && isInvited)
    await recordSecurityEvent(context, userId, { type: "invitation_accepted", network: how.network })
  await recordSecurityEvent(context, userId, { type: "signed_in", ...how })
}

const createProviderAuth = (options: AccountsOptions, current: () => ProviderSignInResult): Auth =>
  createAuth(options, {
    plugins: [identityPlugin(options.identityProviders, options.context.logger)],
    ...identityRules(options.context, options.signUp, current),
    // better-auth prints errors that it does not throw, with the row that it could not write.
    onAPIError: { errorURL: `${options.baseUrl}/sign-in`, throw: true },
  })

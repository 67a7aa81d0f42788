import { AsyncLocalStorage } from "node:async_hooks"
import { type Context, NotFound, recordSecurityEvent, type SecurityEvent } from "@restwell/core"
import { networkOf } from "../network/network-of.ts"
import { countNamelessSignIn } from "./attempt-limits.ts"
import { type Auth, type AuthOptions, createAuth } from "./better-auth.ts"
import { type Arrival, type IdentityProvider, identityPlugin, identityRules } from "./identity-providers.ts"

/** Signing in with an account elsewhere. Every answer is a place to go to: people come here with a browser. */
export interface ProviderSignIn {
  /**
   * To the provider's page, with state, nonce and PKCE.
   * @param next where the person goes on afterwards: the page of an assistant that waits, else the dashboard
   * @throws {NotFound} for one that is not set up @throws {TooManyAttempts} for the address, because each one costs a row
   */
  begin(provider: string, headers: Headers, address: string, next?: string): Promise<Departure>
  /** Back from it: signed in, or to the sign-in page with what became of it. */
  complete(provider: string, request: Request, address: string): Promise<Departure>
}

export interface Departure {
  readonly location: string
  readonly headers: Headers
}

export interface ProviderSignInOptions extends AuthOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger">
  readonly signUp: "open" | "closed"
  readonly identityProviders: readonly IdentityProvider[]
}

/** A page of the authorization server, where an assistant's request waits for who signs in. */
const WAITING_PAGE = /^\/oauth\/consent\/[\w-]{1,64}$/

/** What the sign-in page knows how to explain, by what the library says. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:access_denied|user_cancelled_authorize)$/, "access_denied"],
  [/^account_not_linked$/, "email_taken"],
  [/^SIGN_UP_CLOSED$/, "sign_up_closed"],
  [/^(?:state_|please_restart)/, "expired"],
]

export function createProviderSignIn(options: ProviderSignInOptions): ProviderSignIn {
  const { baseUrl, context, identityProviders } = options
  const problemPage = (problem: string): string => `${baseUrl}/sign-in?problem=${problem}`
  const failed = (): Departure => ({ location: problemPage("failed"), headers: new Headers() })
  const arrivals = new AsyncLocalStorage<Arrival>()
  const note = (arrival: Arrival) => Object.assign(arrivals.getStore() ?? {}, arrival)
  let ready: Auth | undefined
  /** Undefined while the provider does not answer its discovery; it is asked again the next time. */
  const authFor = async (provider: string): Promise<Auth | undefined> => {
    if (!identityProviders.some((known) => known.provider === provider))
      throw new NotFound("nobody can sign in with that provider here")
    const auth = ready ?? createProviderAuth(options, note)
    const { socialProviders } = await auth.$context
    const answered = socialProviders.map(({ id }) => id)
    ready = identityProviders.every((known) => answered.includes(known.provider)) ? auth : undefined
    return answered.includes(provider) ? auth : undefined
  }
  return {
    async begin(provider, headers, address, next) {
      const auth = await authFor(provider)
      await countNamelessSignIn(context, address)
      if (!auth) return failed()
      const body = {
        provider,
        callbackURL: `${baseUrl}${next !== undefined && WAITING_PAGE.test(next) ? next : "/"}`,
        errorCallbackURL: `${baseUrl}/sign-in`,
        disableRedirect: true,
      }
      const { response, headers: sent } = await auth.api.signInSocial({ body, headers, returnHeaders: true })
      return response.url ? { location: response.url, headers: sent } : failed()
    },
    async complete(provider, request, address) {
      const auth = await authFor(provider)
      if (!auth) return failed()
      const arrival: Arrival = {}
      const answer = await arrivals
        .run(arrival, () => auth.handler(request))
        .catch((error: unknown) => {
          context.logger.error({ provider, err: error }, "a sign-in came back and could not be answered")
        })
      if (!answer) return failed()
      const { status, headers } = answer
      await recordArrival(context, arrival, { detail: provider, network: networkOf(address) })
      const target = URL.parse(headers.get("location") ?? "", baseUrl)
      if (status !== 302 || target === null) {
        context.logger.error({ provider, status }, "a sign-in came back and could not be answered")
        return failed()
      }
      const code = target.searchParams.get("error")
      // Apple's form comes back once more, as an address.
      const isAgain = request.method === "POST" && target.pathname.startsWith("/api/auth/callback/")
      if (isAgain) return { location: `${baseUrl}${target.pathname}${target.search}`, headers }
      if (code === null) return { location: `${baseUrl}${target.pathname}`, headers }
      return { location: problemPage(problemOf(code)), headers }
    },
  }
}

const problemOf = (code: string): string => PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? "failed"

async function recordArrival(
  context: Pick<Context, "database" | "clock">,
  { userId, isNew = false }: Arrival,
  how: Pick<SecurityEvent, "detail" | "network">,
): Promise<void> {
  if (userId === undefined) return
  if (isNew) await recordSecurityEvent(context, userId, { type: "account_created", ...how })
  await recordSecurityEvent(context, userId, { type: "signed_in", ...how })
}

const createProviderAuth = (options: ProviderSignInOptions, note: (arrival: Arrival) => void): Auth =>
  createAuth(options, {
    plugins: [identityPlugin(options.identityProviders)],
    ...identityRules(options.context, options.signUp, note),
    // It prints what it does not throw, with the row that could not be written.
    onAPIError: { errorURL: `${options.baseUrl}/sign-in`, throw: true },
  })

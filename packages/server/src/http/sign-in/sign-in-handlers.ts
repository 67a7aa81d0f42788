import type { SignInOptionsResponse } from "@restwell/client"
import { InvalidRequest } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { AccountOperation } from "../../accounts/account-request.ts"
import type { Accounts } from "../../accounts/accounts.ts"
import { PROVIDER_NAMES } from "../../accounts/identity-providers.ts"
import type { Redirect } from "../../accounts/provider-sign-in.ts"
import type { IdentityProviderConfig } from "../../config/config.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { Handler } from "../plumbing/route.ts"
import type { SessionHandler } from "../plumbing/session.ts"
import { headersOf } from "../plumbing/web-headers.ts"

/** Other parameters are ignored: people come here by links. */
const NextSchema = z.object({ next: z.string().optional().catch(undefined) })

/** The fields become a redirect to the same path, and a URL has at most 8,192 bytes. Apple sends about 2,000. */
const LONGEST_FORM = 7_500

/** Passes a request to an operation of accounts and sends its answer and cookies. */
export const accountsHandler =
  (baseUrl: string, answer: AccountOperation, status: number): Handler =>
  async (request, reply) => {
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    const web = webRequestOf(request, baseUrl, body)
    const answered = await answer({ request: web, address: request.ip })
    for (const cookie of answered.headers.getSetCookie()) reply.header("set-cookie", cookie)
    return reply.code(status).header("cache-control", "no-store").send(answered.body)
  }

/** GET /api/auth/options: what the sign-in page offers. */
export const signInOptionsHandler =
  (accounts: Accounts, providers: readonly IdentityProviderConfig[]): Handler =>
  async (_request, reply): Promise<SignInOptionsResponse> => {
    reply.header("cache-control", "no-store")
    return {
      sign_up: await accounts.signUpState(),
      password_reset: accounts.passwordReset,
      providers: providers.map(({ provider }) => ({ provider, name: PROVIDER_NAMES[provider] })),
    }
  }

/** GET /api/auth/passkeys */
export const listPasskeysHandler =
  (accounts: Accounts): SessionHandler =>
  async (session) => ({ passkeys: await accounts.passkeys.list(session) })

/** DELETE /api/auth/passkeys/{id} */
export const deletePasskeyHandler =
  (accounts: Accounts): SessionHandler =>
  async (session, reply, request) => {
    await accounts.passkeys.remove(session, pathParameter(request, "id"), request.ip)
    return reply.code(204).send()
  }

/** GET /api/auth/sign-in/{provider}: redirects to the provider's page. */
export const beginProviderHandler =
  (accounts: Accounts): Handler =>
  async (request, reply) => {
    const provider = pathParameter(request, "provider")
    const { next } = NextSchema.parse(request.query)
    return redirect(reply, await accounts.providers.begin(provider, headersOf(request), request.ip, next))
  }

/** GET and POST /api/auth/callback/{provider}: where the provider sends the browser back to. */
export const completeProviderHandler =
  (accounts: Accounts, baseUrl: string): Handler =>
  async (request, reply) => {
    const provider = pathParameter(request, "provider")
    const form = typeof request.body === "string" ? request.body : null
    if (form !== null && form.length > LONGEST_FORM)
      throw new InvalidRequest(`the form is longer than ${LONGEST_FORM} characters`, "form")
    const returned = webRequestOf(request, baseUrl, form)
    return redirect(reply, await accounts.providers.complete(provider, returned, request.ip))
  }

const webRequestOf = (request: FastifyRequest, baseUrl: string, body: string | null): Request =>
  new Request(new URL(request.url, baseUrl), { method: request.method, headers: headersOf(request), body })

function redirect(reply: FastifyReply, { location, headers }: Redirect): FastifyReply {
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
  return reply.header("cache-control", "no-store").redirect(location, 302)
}

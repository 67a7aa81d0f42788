import type { FastifyRequest } from "fastify"
import type { AccountAnswer, AccountRequest } from "../../accounts/account-request.ts"
import type { Accounts } from "../../accounts/accounts.ts"
import type { IdentityProviderConfig } from "../../config/config.ts"
import { type Handler, headersOf } from "../plumbing/endpoint.ts"

export interface SignInServices {
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly identityProviders: readonly IdentityProviderConfig[]
}

/** Passes a request to an operation of accounts and sends its answer and cookies. */
export const answering =
  (answer: (accounts: Accounts, request: AccountRequest) => Promise<AccountAnswer>, status = 200) =>
  ({ accounts, baseUrl }: SignInServices): Handler =>
  async (request, reply) => {
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    const web = webRequestOf(request, baseUrl, body)
    const answered = await answer(accounts, { request: web, address: request.ip })
    for (const cookie of answered.headers.getSetCookie()) reply.header("set-cookie", cookie)
    return reply.code(status).header("cache-control", "no-store").send(answered.body)
  }

export const webRequestOf = (request: FastifyRequest, baseUrl: string, body: string | null): Request =>
  new Request(new URL(request.url, baseUrl), { method: request.method, headers: headersOf(request), body })

import type { FastifyRequest } from "fastify"
import type { AccountAnswer, AccountRequest } from "../../accounts/account-request.ts"
import type { Handler } from "../plumbing/route.ts"
import { headersOf } from "../plumbing/web-headers.ts"

/** Passes a request to an operation of accounts and sends its answer and cookies. */
export const accountsHandler =
  (baseUrl: string, answer: (request: AccountRequest) => Promise<AccountAnswer>, status: number): Handler =>
  async (request, reply) => {
    const { body, headers } = await answer({ request: webRequestOf(request, baseUrl), address: request.ip })
    for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
    return reply.code(status).header("cache-control", "no-store").send(body)
  }

function webRequestOf(request: FastifyRequest, baseUrl: string): Request {
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  return new Request(new URL(request.url, baseUrl), { method: request.method, headers: headersOf(request), body })
}

import type { FastifyReply, FastifyRequest } from "fastify"
import type { AccountAnswer, AccountRequest } from "../../accounts/accounts.ts"
import { headersOf } from "../plumbing/session-guard.ts"

/** A door of accounts: the request as the web has it, its answer with the cookies it sets. */
export const authDoor =
  (baseUrl: string, answer: (request: AccountRequest) => Promise<AccountAnswer>, status = 200) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const { body, headers } = await answer({ request: webRequestOf(request, baseUrl), address: request.ip })
    for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
    return reply.code(status).header("cache-control", "no-store").send(body)
  }

function webRequestOf(request: FastifyRequest, baseUrl: string): Request {
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  return new Request(new URL(request.url, baseUrl), { method: request.method, headers: headersOf(request), body })
}

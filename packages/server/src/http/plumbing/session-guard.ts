import { Unauthorized } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Accounts, Session } from "../../accounts/accounts.ts"
import { refuseForeignSite } from "./foreign-origin.ts"

/** The person who is signed in. @throws {Unauthorized} when nobody is @throws {Forbidden} when another site sent a change in their name */
export async function requireSession(
  { accounts, baseUrl }: { readonly accounts: Accounts; readonly baseUrl: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session> {
  const headers = headersOf(request)
  refuseForeignSite(request.method, headers, baseUrl)
  const session = await accounts.sessionOf(headers)
  if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
  for (const cookie of session.renewal) reply.header("set-cookie", cookie)
  return session
}

/** Node's headers as the web's. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each)
  return result
}

import { Unauthorized } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { Accounts, Session } from "../accounts/accounts.ts"
import { refuseForeignSite } from "../accounts/foreign-site.ts"

/** The person who is signed in. @throws {Unauthorized} when nobody is @throws {Forbidden} when another site sent a change in their name */
export async function requireSession(accounts: Accounts, baseUrl: string, request: FastifyRequest): Promise<Session> {
  const headers = headersOf(request)
  refuseForeignSite(request.method, headers, baseUrl)
  const session = await accounts.sessionOf(headers)
  if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
  return session
}

/** Node's headers as the web's. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each)
  return result
}

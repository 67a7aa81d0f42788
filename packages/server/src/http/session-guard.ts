import { Forbidden, Unauthorized } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { Accounts, Session } from "../accounts/accounts.ts"

/** Methods that change nothing may come from anywhere. */
const SAFE = ["GET", "HEAD", "OPTIONS"]

/** The person who is signed in. @throws {Unauthorized} when nobody is @throws {Forbidden} when another site sent a change in their name */
export async function requireSession(accounts: Accounts, baseUrl: string, request: FastifyRequest): Promise<Session> {
  if (!SAFE.includes(request.method)) refuseForeignSite(request, baseUrl)
  const session = await accounts.sessionOf(headersOf(request))
  if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
  return session
}

/** Browsers say where a request comes from; other clients carry no one's cookies by accident. OWASP: Fetch Metadata, Origin. */
function refuseForeignSite({ headers }: FastifyRequest, baseUrl: string): void {
  const site = headers["sec-fetch-site"]
  const isForeign =
    (headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin) ||
    (site !== undefined && site !== "same-origin" && site !== "none")
  if (isForeign) throw new Forbidden("this change was sent by another site and is refused")
}

/** Node's headers as the web's. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each)
  return result
}

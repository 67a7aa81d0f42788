import { Unauthorized } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Session } from "../../accounts/session.ts"
import type { Handler } from "./route.ts"
import { headersOf } from "./web-headers.ts"

export type SessionHandler = (session: Session, reply: FastifyReply, request: FastifyRequest) => Promise<unknown>

/** A handler for the person who is signed in. Its responses are not cached. @throws {Unauthorized} */
export const withSession =
  (accounts: Accounts, handle: SessionHandler): Handler =>
  async (request, reply) => {
    reply.header("cache-control", "no-store")
    const session = await accounts.sessionOf(headersOf(request))
    if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
    for (const cookie of session.renewal) reply.header("set-cookie", cookie)
    return handle(session, reply, request)
  }

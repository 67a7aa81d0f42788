import { type Context, ServiceError } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Session } from "../../accounts/session.ts"
import type { AuthorizationServer, PendingAuthorization } from "../../oauth/authorization-server.ts"
import { errorAnswer } from "../plumbing/errors.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { Handler, Route } from "../plumbing/route.ts"
import { headersOf } from "../plumbing/web-headers.ts"
import type { FormBinding } from "./form-token.ts"
import { errorPage } from "./pages/error-page.ts"

export interface ConsentServices {
  readonly server: AuthorizationServer
  readonly accounts: Accounts
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
  /** Signs the tokens of forms. */
  readonly formKey: Buffer
}

/** A person at one of the pages, with the authorization request that waits for them. */
export interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly pending: PendingAuthorization
  /** Undefined if nobody is signed in, or the sign-in is older than the client allows. */
  readonly session: Session | undefined
}

export const authorizationIdOf = (request: FastifyRequest): string => pathParameter(request, "id")

/** Finds the authorization request that waits in this browser, and the session. A page says so if the request has ended. */
export const withVisit =
  (services: ConsentServices, answer: (visit: Visit) => Promise<unknown>): Handler =>
  async (request, reply) => {
    preparePage(reply)
    const pending = await services.server.findPending(request.raw, reply.raw)
    if (pending?.id !== authorizationIdOf(request))
      return sendPage(
        reply,
        400,
        errorPage("This request has ended", "It was answered, has expired, or began in another browser"),
      )
    const session = await services.accounts.sessionOf(headersOf(request))
    for (const cookie of session?.renewal ?? []) reply.header("set-cookie", cookie)
    const isRecent = !pending.signInAfter || (session && session.signedInAt >= pending.signInAfter)
    return answer({ request, reply, pending, session: isRecent ? session : undefined })
  }

/** Shows a page instead of JSON for errors that have words for people. */
export const sendErrorPage =
  ({ context }: ConsentServices): NonNullable<Route["sendError"]> =>
  (error, request, reply) => {
    if (!(error instanceof ServiceError)) throw error
    const { status } = errorAnswer(error, request.id, context.clock.now())
    return sendPage(preparePage(reply), status, errorPage("That did not work", error.message))
  }

/** `same-origin`, because a browser sends a form from a page without a referrer as from an unknown origin. */
export const preparePage = (reply: FastifyReply): FastifyReply =>
  reply.headers({ "cache-control": "no-store", "referrer-policy": "same-origin" })

export const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).header("content-type", "text/html; charset=utf-8").send(page)

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof body === "string" ? body : "")

export const bindingOf = ({ formKey }: ConsentServices, { pending, session }: Visit): FormBinding => ({
  formKey,
  authorizationId: pending.id,
  sessionId: session?.sessionId,
})

import { InvalidRequest, TooManyAttempts, Unauthorized } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { AccountAnswer } from "../../accounts/account-request.ts"
import { interactionPath } from "../../oauth/addresses.ts"
import { errorAnswer } from "../plumbing/errors.ts"
import type { Handler } from "../plumbing/route.ts"
import { headersOf } from "../plumbing/web-headers.ts"
import { bindingOf, type ConsentServices, formOf, sendPage, type Visit, withVisit } from "./consent-visit.ts"
import { formTokenFor, requireFormToken } from "./form-token.ts"
import { signInPage } from "./pages/sign-in-page.ts"

/** POST /oauth/consent/{id}/sign-in */
export const consentSignInHandler = (services: ConsentServices): Handler =>
  withVisit(services, async (visit) => {
    const { request, reply } = visit
    const form = formOf(request)
    requireFormToken(form, { ...bindingOf(services, visit), sessionId: undefined })
    const email = form.get("email") ?? ""
    const body = { email, password: form.get("password") ?? "" }
    try {
      const address = request.ip
      return goOn(visit, await services.accounts.signIn({ request: jsonRequest(request, services, body), address }))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      const { status, headers } = errorAnswer(error, request.id, services.context.clock.now())
      if (headers["retry-after"] !== undefined) reply.header("retry-after", headers["retry-after"])
      return sendSignInPage(services, visit, { status, problem, email })
    }
  })

/** POST /oauth/consent/{id}/sign-out, to use another account. */
export const consentSignOutHandler = (services: ConsentServices): Handler =>
  withVisit(services, async (visit) => {
    const { request, session } = visit
    if (!session) return goOn(visit)
    requireFormToken(formOf(request), bindingOf(services, visit))
    const signingOut = { request: jsonRequest(request, services, {}), address: request.ip }
    return goOn(visit, await services.accounts.signOut(signingOut))
  })

function goOn({ reply, pending }: Visit, answer?: AccountAnswer): FastifyReply {
  for (const cookie of answer?.headers.getSetCookie() ?? []) reply.header("set-cookie", cookie)
  return reply.redirect(interactionPath(pending.id), 303)
}

export async function sendSignInPage(
  services: ConsentServices,
  visit: Visit,
  refused: { readonly status: number; readonly problem?: string; readonly email?: string } = { status: 200 },
): Promise<FastifyReply> {
  const { status, ...filledIn } = refused
  const isOpen = (await services.accounts.signUpState()) === "open"
  const { id, client } = visit.pending
  const token = formTokenFor({ ...bindingOf(services, visit), sessionId: undefined })
  return sendPage(visit.reply, status, signInPage({ id, client, token, isOpen, ...filledIn }))
}

function jsonRequest(request: FastifyRequest, { baseUrl }: ConsentServices, body: object): Request {
  const headers = headersOf(request)
  headers.set("content-type", "application/json")
  headers.delete("content-length")
  return new Request(new URL(request.url, baseUrl), { method: "POST", headers, body: JSON.stringify(body) })
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof Unauthorized) return "Incorrect email or password. Passwords are case-sensitive."
  if (error instanceof TooManyAttempts) return `Too many attempts. Try again in ${error.retryAfterSeconds} seconds.`
  return error instanceof InvalidRequest ? "Enter your email address and password." : undefined
}

import { CodeRequiredResponseSchema } from "@restwell/client"
import { Forbidden, InvalidRequest, TooManyAttempts, Unauthorized } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { AccountAnswer } from "../../accounts/account-request.ts"
import { interactionPath } from "../../oauth/addresses.ts"
import { errorAnswer } from "../plumbing/errors.ts"
import type { Handler } from "../plumbing/route.ts"
import { headersOf } from "../plumbing/web-headers.ts"
import { bindingOf, type ConsentServices, formOf, sendPage, type Visit, withVisit } from "./consent-visit.ts"
import { formTokenFor, requireFormToken } from "./form-token.ts"
import { codePage } from "./pages/code-page.ts"
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
      const answer = await services.accounts.signIn({ request: jsonRequest(request, services, body), address })
      if (!CodeRequiredResponseSchema.safeParse(answer.body).success) return goOn(visit, answer)
      setCookies(reply, answer)
      return sendCodePage(services, visit, { status: 200 })
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return sendSignInPage(services, visit, { status: refuse(services, visit, error), problem, email })
    }
  })

/** POST /oauth/consent/{id}/code: the second step for people who have turned codes on. */
export const consentCodeHandler = (services: ConsentServices): Handler =>
  withVisit(services, async (visit) => {
    const { request } = visit
    const form = formOf(request)
    requireFormToken(form, { ...bindingOf(services, visit), sessionId: undefined })
    const sent = jsonRequest(request, services, { code: form.get("code") ?? "" })
    try {
      return goOn(visit, await services.accounts.signInWithCode({ request: sent, address: request.ip }))
    } catch (error) {
      if (error instanceof Forbidden) {
        const problem = "This sign-in has expired. Enter your password again."
        return sendSignInPage(services, visit, { status: refuse(services, visit, error), problem })
      }
      const problem = codeProblemOf(error)
      if (problem === undefined) throw error
      return sendCodePage(services, visit, { status: refuse(services, visit, error), problem })
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

/** Sets the headers of a refusal, and returns its status. */
function refuse({ context }: ConsentServices, { request, reply }: Visit, error: unknown): number {
  const { status, headers } = errorAnswer(error, request.id, context.clock.now())
  if (headers["retry-after"] !== undefined) reply.header("retry-after", headers["retry-after"])
  return status
}

function setCookies(reply: FastifyReply, answer?: AccountAnswer): void {
  for (const cookie of answer?.headers.getSetCookie() ?? []) reply.header("set-cookie", cookie)
}

function goOn({ reply, pending }: Visit, answer?: AccountAnswer): FastifyReply {
  setCookies(reply, answer)
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

function sendCodePage(
  services: ConsentServices,
  visit: Visit,
  { status, problem }: { readonly status: number; readonly problem?: string },
): FastifyReply {
  const { id, client } = visit.pending
  const token = formTokenFor({ ...bindingOf(services, visit), sessionId: undefined })
  return sendPage(visit.reply, status, codePage({ id, client, token, ...(problem !== undefined && { problem }) }))
}

function jsonRequest(request: FastifyRequest, { baseUrl }: ConsentServices, body: object): Request {
  const headers = headersOf(request)
  headers.set("content-type", "application/json")
  headers.delete("content-length")
  return new Request(new URL(request.url, baseUrl), { method: "POST", headers, body: JSON.stringify(body) })
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof Unauthorized) return "Incorrect email or password. Passwords are case-sensitive."
  if (error instanceof TooManyAttempts) return waitText(error)
  return error instanceof InvalidRequest ? "Enter your email address and password." : undefined
}

function codeProblemOf(error: unknown): string | undefined {
  if (error instanceof Unauthorized)
    return "Incorrect code. Each code works once, for about a minute: enter the one that your app displays now."
  if (error instanceof TooManyAttempts) return waitText(error)
  return error instanceof InvalidRequest ? "Enter the code of your app, or a recovery code." : undefined
}

const waitText = ({ retryAfterSeconds }: TooManyAttempts): string =>
  `Too many attempts. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? "second" : "seconds"}.`

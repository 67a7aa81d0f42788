import { createHmac, timingSafeEqual } from "node:crypto"
import {
  type Allowance,
  type Context,
  Forbidden,
  findAllowance,
  HEALTH_SCOPES,
  InvalidRequest,
  ServiceError,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { networkOf } from "../../network/addresses.ts"
import { interactionPath, signInPath } from "../../oauth/addresses.ts"
import type { AuthorizationServer, PendingAuthorization } from "../../oauth/authorization-server.ts"
import { assetOf, sendAsset } from "../plumbing/assets.ts"
import { type Handler, headersOf, type OpenEndpoint, type SendError, type SessionCall } from "../plumbing/endpoint.ts"
import { errorAnswer } from "../plumbing/errors.ts"
import { pathParameter } from "../plumbing/requests.ts"
import { accountRequestOf } from "../sign-in/providers.ts"
import { consentPage, decidedPage, errorPage, OAUTH_STYLE, OAUTH_STYLE_PATH } from "./pages.ts"

/** What a form is bound to: the authorization request that waits, and the session that decides it. */
interface FormBinding {
  readonly formKey: Buffer
  readonly authorizationId: string
  readonly sessionId: string
}

/** The hidden field of a form. It fits only the same authorization request in the same session. */
const formTokenFor = ({ formKey, authorizationId, sessionId }: FormBinding): string =>
  createHmac("sha256", formKey).update(`${authorizationId}/${sessionId}`).digest("base64url")

/** @throws {Forbidden} if the form was made for another request or session */
function requireFormToken(form: URLSearchParams, binding: FormBinding): void {
  const sent = Buffer.from(form.get("token") ?? "")
  const expected = Buffer.from(formTokenFor(binding))
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new Forbidden("this form belongs to another visit, go back to your assistant and connect again")
}

export interface ConsentServices {
  readonly authorizationServer: () => Promise<AuthorizationServer>
  readonly accounts: Accounts
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
  /** Signs the tokens of forms. */
  readonly formKey: Buffer
}

/** A person who is signed in, with the authorization request that waits for them. */
interface Visit extends SessionCall {
  readonly pending: PendingAuthorization
}

const authorizationIdOf = (request: FastifyRequest): string => pathParameter(request, "id")

/**
 * Finds the authorization request that waits in this browser, and the session. A page says so if the request has ended. Without a session, or
 * with a sign-in that is older than the client allows, the browser goes to the dashboard's sign-in page, which leads back here.
 */
const withVisit =
  (answer: (services: ConsentServices, visit: Visit) => Promise<unknown>): Handler<ConsentServices> =>
  async (services, { request, reply }) => {
    preparePage(reply)
    const authorizationServer = await services.authorizationServer()
    const pending = await authorizationServer.findPending(request.raw, reply.raw)
    if (pending?.id !== authorizationIdOf(request))
      return sendPage(
        reply,
        400,
        errorPage("This request has ended", "It was answered, has expired, or began in another browser"),
      )
    const session = await services.accounts.sessionOf(headersOf(request))
    for (const cookie of session?.renewal ?? []) reply.header("set-cookie", cookie)
    const { signInAfter } = pending
    if (!session || (signInAfter && session.signedInAt < signInAfter))
      return reply.redirect(signInPath(pending.id), 303)
    return answer(services, { request, reply, pending, session })
  }

/** Shows a page instead of JSON for errors that have words for people. */
const sendErrorPage: SendError<ConsentServices> = (error, { context }, { request, reply }) => {
  if (!(error instanceof ServiceError)) throw error
  const { status } = errorAnswer(error, request.id, context.clock.now())
  return sendPage(preparePage(reply), status, errorPage("That did not work", error.message))
}

/** `same-origin`, because a browser sends a form from a page without a referrer as from an unknown origin. */
const preparePage = (reply: FastifyReply): FastifyReply => reply.header("referrer-policy", "same-origin")

const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).header("content-type", "text/html; charset=utf-8").send(page)

const formOf = ({ body }: FastifyRequest): URLSearchParams => new URLSearchParams(typeof body === "string" ? body : "")

const bindingOf = ({ formKey }: ConsentServices, { pending, session }: Visit): FormBinding => ({
  formKey,
  authorizationId: pending.id,
  sessionId: session.sessionId,
})

/** POST /oauth/consent/{id}/sign-out, to use another account. */
const signOut = withVisit(async (services, visit) => {
  const { request, reply, pending } = visit
  requireFormToken(formOf(request), bindingOf(services, visit))
  const { headers } = await services.accounts.signOut(accountRequestOf(request))
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
  return reply.redirect(signInPath(pending.id), 303)
})

const DecisionSchema = z.object({
  decision: z.literal("allow"),
  scopes: z.array(z.enum(HEALTH_SCOPES)),
  days: z.union([z.literal("all").transform(() => null), z.enum(["7", "30", "90"]).transform(Number)]),
})

/** POST /oauth/consent/{id}: the decision. */
const decide = withVisit(async (services, visit) => {
  const { request, reply, pending, session } = visit
  const form = formOf(request)
  requireFormToken(form, bindingOf(services, visit))
  const authorizationServer = await services.authorizationServer()
  if (form.get("decision") === "deny") await authorizationServer.deny(request.raw, reply.raw)
  else {
    const { scopes, days } = decisionOf(form)
    if (!scopes.some((scope) => pending.scopes.includes(scope)))
      return sendConsentPage(services, visit, {
        problem: "Choose at least one kind of data, or press Cancel.",
        chosen: { scopes: [], declined: pending.scopes, days },
      })
    const { userId, signedInAt } = session
    const decision = { userId, signedInAt, scopes, days, network: networkOf(request.ip) }
    await authorizationServer.allow(request.raw, reply.raw, decision)
  }
  return reply.redirect(`${interactionPath(pending.id)}/decided`, 303)
})

function decisionOf(form: URLSearchParams): z.infer<typeof DecisionSchema> {
  const fields = { decision: form.get("decision"), days: form.get("days"), scopes: form.getAll("scope") }
  const parsed = DecisionSchema.safeParse(fields)
  if (!parsed.success) throw new InvalidRequest("the form is incomplete, go back and send it again", "form")
  return parsed.data
}

/** GET /oauth/consent/{id}/decided: goes on to the assistant. */
const goOn: Handler<ConsentServices> = async (_services, { request, reply }) =>
  sendPage(preparePage(reply), 200, decidedPage(authorizationIdOf(request)))

/** A form that was refused, to show it again as it was filled in. */
interface RefusedForm {
  readonly problem: string
  readonly chosen: Allowance
}

async function sendConsentPage(services: ConsentServices, visit: Visit, refused?: RefusedForm): Promise<FastifyReply> {
  const { user, userId } = visit.session
  const { id, client, scopes } = visit.pending
  const token = formTokenFor(bindingOf(services, visit))
  const before = refused?.chosen ?? (await findAllowance(services.context, userId, client.clientId))
  const page = { id, client, scopes, user, token, before, ...(refused && { problem: refused.problem }) }
  return sendPage(visit.reply, refused ? 400 : 200, consentPage(page))
}

const STYLE = assetOf("text/css; charset=utf-8", OAUTH_STYLE)
const PATH = "/oauth/consent/:id"
const POST_FORM = { method: "POST", access: "anybody", bodyType: "form", sendError: sendErrorPage } as const

/** The page on which a person lets an assistant read, or refuses. It finds out itself who is signed in. */
export const consentEndpoints: readonly OpenEndpoint<ConsentServices>[] = [
  {
    method: "GET",
    path: PATH,
    access: "anybody",
    isVisit: true,
    sendError: sendErrorPage,
    handle: withVisit(sendConsentPage),
  },
  { ...POST_FORM, path: PATH, handle: decide },
  { method: "GET", path: `${PATH}/decided`, access: "anybody", handle: goOn },
  { ...POST_FORM, path: `${PATH}/sign-out`, handle: signOut },
  {
    method: "GET",
    path: OAUTH_STYLE_PATH,
    access: "anybody",
    handle: async (_services, call) => sendAsset(STYLE, call),
  },
]

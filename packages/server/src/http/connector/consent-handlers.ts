import { createHmac, timingSafeEqual } from "node:crypto"
import {
  type Allowance,
  type Context,
  Forbidden,
  findAllowance,
  HEALTH_SCOPES,
  InvalidRequest,
  ServiceError,
  TooManyAttempts,
  Unauthorized,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts, Session } from "../../accounts/accounts.ts"
import { networkOf } from "../../network/network-of.ts"
import { interactionPath } from "../../oauth/addresses.ts"
import type { AuthorizationServer, PendingAuthorization } from "../../oauth/authorization-server.ts"
import { errorAnswer } from "../plumbing/errors.ts"
import { refuseForeignSite } from "../plumbing/foreign-origin.ts"
import { headersOf } from "../plumbing/session-guard.ts"
import { consentPage } from "./pages/consent-page.ts"
import { decidedPage } from "./pages/decided-page.ts"
import { errorPage } from "./pages/error-page.ts"
import { signInPage } from "./pages/sign-in-page.ts"

export interface ConsentDoors {
  readonly server: AuthorizationServer
  readonly accounts: Accounts
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
  /** Makes the tokens of forms. */
  readonly formKey: Buffer
}

type Answer = (visit: Visit) => Promise<unknown>

/** A person at a page of theirs: what waits for them, and who they are. */
interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly pending: PendingAuthorization
  /** Undefined for who is not signed in, or not lately enough. */
  readonly session: Session | undefined
}

const ParametersSchema = z.object({ id: z.string().max(64) })

/** GET /oauth/consent/{id}: to sign in, or to decide. */
export const consentDoor = (doors: ConsentDoors) => atPage(doors, (visit) => showPage(doors, visit))

/** POST /oauth/consent/{id}: the decision. */
export const decisionDoor = (doors: ConsentDoors) =>
  atPage(doors, async (visit) => {
    const { request, reply, pending, session } = visit
    const form = formOf(request)
    if (!session) return showPage(doors, visit)
    requireToken(doors, form, pending, session)
    if (form.get("decision") === "deny") await doors.server.deny(request.raw, reply.raw)
    else {
      const parsed = DecisionSchema.safeParse({
        decision: form.get("decision"),
        days: form.get("days"),
        scopes: form.getAll("scope"),
      })
      if (!parsed.success) throw new InvalidRequest("this form was not sent whole, go back and send it again", "form")
      const { scopes, days } = parsed.data
      if (!scopes.some((scope) => pending.scopes.includes(scope)))
        return showPage(doors, visit, {
          problem: "Choose at least one kind of data, or press Cancel.",
          chosen: { scopes: [], declined: pending.scopes, days },
        })
      const { userId, signedInAt } = session
      const network = networkOf(request.ip)
      await doors.server.allow(request.raw, reply.raw, { userId, signedInAt, scopes, days, network })
    }
    return reply.redirect(`${interactionPath(pending.id)}/decided`, 303)
  })

/** GET /oauth/consent/{id}/decided: on to the assistant. Nothing is decided here. */
export const decidedDoor = () => async (request: FastifyRequest, reply: FastifyReply) => {
  const { id } = ParametersSchema.parse(request.params)
  prepare(reply)
  return sendPage(reply, 200, decidedPage(id))
}

/** POST /oauth/consent/{id}/sign-in */
export const consentSignInDoor = (doors: ConsentDoors) =>
  atPage(doors, async (visit) => {
    const { request, reply, pending } = visit
    const form = formOf(request)
    requireToken(doors, form, pending, undefined)
    const email = form.get("email") ?? ""
    try {
      const { headers } = await doors.accounts.signIn({
        request: jsonRequest(request, doors.baseUrl, { email, password: form.get("password") ?? "" }),
        address: request.ip,
      })
      for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
      return reply.redirect(interactionPath(pending.id), 303)
    } catch (error) {
      const problem = signInProblem(error)
      if (problem === undefined) throw error
      const { status, headers } = errorAnswer(error, request.id, doors.context.clock.now())
      if (headers["retry-after"] !== undefined) reply.header("retry-after", headers["retry-after"])
      return showSignIn(doors, visit, { status, problem, email })
    }
  })

/** POST /oauth/consent/{id}/sign-out: another account is meant. */
export const consentSignOutDoor = (doors: ConsentDoors) =>
  atPage(doors, async ({ request, reply, pending, session }) => {
    if (session) {
      requireToken(doors, formOf(request), pending, session)
      const { headers } = await doors.accounts.signOut({
        request: jsonRequest(request, doors.baseUrl, {}),
        address: request.ip,
      })
      for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
    }
    return reply.redirect(interactionPath(pending.id), 303)
  })

const DecisionSchema = z.object({
  decision: z.literal("allow"),
  scopes: z.array(z.enum(HEALTH_SCOPES)),
  days: z.union([z.literal("all").transform(() => null), z.enum(["7", "30", "90"]).transform(Number)]),
})

/** What is the same at every page: no other site may send a form, the request must wait for this browser, and faults are told in words. */
const atPage = (doors: ConsentDoors, answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
  prepare(reply)
  try {
    refuseForeignSite(request.method, headersOf(request), doors.baseUrl)
    const { id } = ParametersSchema.parse(request.params)
    const pending = await doors.server.findPending(request.raw, reply.raw)
    if (pending?.id !== id)
      return sendPage(
        reply,
        400,
        errorPage("This request has ended", "it was answered already, is too old, or began in another browser"),
      )
    const session = await doors.accounts.sessionOf(headersOf(request))
    for (const cookie of session?.renewal ?? []) reply.header("set-cookie", cookie)
    const isYoungEnough = !pending.signInAfter || (session && session.signedInAt >= pending.signInAfter)
    return await answer({ request, reply, pending, session: isYoungEnough ? session : undefined })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { status } = errorAnswer(error, request.id, doors.context.clock.now())
    return sendPage(reply, status, errorPage("That did not work", error.message))
  }
}

/** A decision that cannot be taken as it is, shown again as it was made. */
interface Again {
  readonly problem: string
  readonly chosen: Allowance
}

async function showPage(doors: ConsentDoors, visit: Visit, again?: Again): Promise<FastifyReply> {
  const { reply, pending, session } = visit
  const { id, client, scopes } = pending
  const token = tokenOf(doors, pending, session)
  if (!session) return showSignIn(doors, visit)
  const before = again?.chosen ?? (await findAllowance(doors.context, session.userId, client.clientId))
  const page = { id, client, scopes, user: session.user, token, before, ...(again && { problem: again.problem }) }
  return sendPage(reply, again ? 400 : 200, consentPage(page))
}

async function showSignIn(
  doors: ConsentDoors,
  { reply, pending }: Visit,
  again: { readonly status: number; readonly problem?: string; readonly email?: string } = { status: 200 },
): Promise<FastifyReply> {
  const { status, ...typed } = again
  const isOpen = (await doors.accounts.signUpState()) === "open"
  const { id, client } = pending
  return sendPage(
    reply,
    status,
    signInPage({ id, client, token: tokenOf(doors, pending, undefined), isOpen, ...typed }),
  )
}

/** A form of ours names its origin, which a page without a referrer would not. */
const prepare = (reply: FastifyReply): FastifyReply =>
  reply.headers({ "cache-control": "no-store", "referrer-policy": "same-origin" })

const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).header("content-type", "text/html; charset=utf-8").send(page)

const formOf = ({ body }: FastifyRequest): URLSearchParams => new URLSearchParams(typeof body === "string" ? body : "")

/** Bound to the request that waits and to who decides it, so that no form of another's fits. */
const tokenOf = ({ formKey }: ConsentDoors, { id }: PendingAuthorization, session: Session | undefined): string =>
  createHmac("sha256", formKey)
    .update(`${id}/${session?.sessionId ?? ""}`)
    .digest("base64url")

/** @throws {Forbidden} */
function requireToken(
  doors: ConsentDoors,
  form: URLSearchParams,
  pending: PendingAuthorization,
  session: Session | undefined,
): void {
  const sent = Buffer.from(form.get("token") ?? "")
  const expected = Buffer.from(tokenOf(doors, pending, session))
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new Forbidden("this form belongs to another visit, go back to your assistant and connect again")
}

function jsonRequest(request: FastifyRequest, baseUrl: string, body: object): Request {
  const headers = headersOf(request)
  headers.set("content-type", "application/json")
  headers.delete("content-length")
  return new Request(new URL(request.url, baseUrl), { method: "POST", headers, body: JSON.stringify(body) })
}

function signInProblem(error: unknown): string | undefined {
  if (error instanceof Unauthorized) return "E-mail address or password is wrong."
  if (error instanceof TooManyAttempts) return `Too many attempts. Try again in ${error.retryAfterSeconds} seconds.`
  return error instanceof InvalidRequest ? "Type your e-mail address and your password." : undefined
}

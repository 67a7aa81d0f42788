import { type Allowance, findAllowance, HEALTH_SCOPES, InvalidRequest } from "@restwell/core"
import type { FastifyReply } from "fastify"
import { z } from "zod"
import type { Session } from "../../accounts/session.ts"
import { networkOf } from "../../network/network-of.ts"
import { interactionPath } from "../../oauth/addresses.ts"
import type { Handler } from "../plumbing/route.ts"
import { sendSignInPage } from "./consent-sign-in-handlers.ts"
import {
  authorizationIdOf,
  bindingOf,
  type ConsentServices,
  formOf,
  preparePage,
  sendPage,
  type Visit,
  withVisit,
} from "./consent-visit.ts"
import { formTokenFor, requireFormToken } from "./form-token.ts"
import { consentPage } from "./pages/consent-page.ts"
import { decidedPage } from "./pages/decided-page.ts"

/** GET /oauth/consent/{id}: the page to sign in, or to decide. */
export const consentHandler = (services: ConsentServices): Handler =>
  withVisit(services, (visit) =>
    visit.session ? sendConsentPage(services, visit, visit.session) : sendSignInPage(services, visit),
  )

const DecisionSchema = z.object({
  decision: z.literal("allow"),
  scopes: z.array(z.enum(HEALTH_SCOPES)),
  days: z.union([z.literal("all").transform(() => null), z.enum(["7", "30", "90"]).transform(Number)]),
})

/** POST /oauth/consent/{id}: the decision. */
export const decisionHandler = (services: ConsentServices): Handler =>
  withVisit(services, async (visit) => {
    const { request, reply, pending, session } = visit
    const form = formOf(request)
    if (!session) return sendSignInPage(services, visit)
    requireFormToken(form, bindingOf(services, visit))
    if (form.get("decision") === "deny") await services.server.deny(request.raw, reply.raw)
    else {
      const { scopes, days } = decisionOf(form)
      if (!scopes.some((scope) => pending.scopes.includes(scope)))
        return sendConsentPage(services, visit, session, {
          problem: "Choose at least one kind of data, or press Cancel.",
          chosen: { scopes: [], declined: pending.scopes, days },
        })
      const { userId, signedInAt } = session
      const decision = { userId, signedInAt, scopes, days, network: networkOf(request.ip) }
      await services.server.allow(request.raw, reply.raw, decision)
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
export const decidedHandler: Handler = async (request, reply) =>
  sendPage(preparePage(reply), 200, decidedPage(authorizationIdOf(request)))

/** A form that was refused, to show it again as it was filled in. */
interface RefusedForm {
  readonly problem: string
  readonly chosen: Allowance
}

async function sendConsentPage(
  services: ConsentServices,
  visit: Visit,
  { user, userId }: Session,
  refused?: RefusedForm,
): Promise<FastifyReply> {
  const { id, client, scopes } = visit.pending
  const token = formTokenFor(bindingOf(services, visit))
  const before = refused?.chosen ?? (await findAllowance(services.context, userId, client.clientId))
  const page = { id, client, scopes, user, token, before, ...(refused && { problem: refused.problem }) }
  return sendPage(visit.reply, refused ? 400 : 200, consentPage(page))
}

import { CreateOwnerRequestSchema, type SetupResponse } from "@restwell/client"
import { Conflict, Forbidden, hasAccounts, NotFound, writeServiceSettings } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { AccountAnswer } from "../../accounts/account-request.ts"
import { countNamelessSignIn } from "../../accounts/attempt-limits.ts"
import { HAS_OWNER } from "../../accounts/password-sign-in.ts"
import { proofOf } from "../../setup/instance-proof.ts"
import { isSetupCode } from "../../setup/setup-code.ts"
import { assetHandler } from "../plumbing/asset-handler.ts"
import { parseBody } from "../plumbing/parse-body.ts"
import { parseSearch } from "../plumbing/query-parameters.ts"
import type { Handler } from "../plumbing/route.ts"
import { headersOf } from "../plumbing/web-headers.ts"
import { isOnThisMachine } from "./first-visitor.ts"
import type { SetupServices } from "./setup-services.ts"

/** GET /setup: the page, until there is an owner. */
export function setupPageHandler({ context, dashboard: { html } }: SetupServices): Handler {
  const sendPage = assetHandler({ contentType: "text/html; charset=utf-8", body: html }, "no-cache")
  return async (request, reply) => {
    if (!(await hasAccounts(context))) return sendPage(request, reply)
    return reply.header("cache-control", "no-store").redirect("/start", 302)
  }
}

/** GET /api/setup: 404 once there is an owner. */
export const readSetupHandler =
  (services: SetupServices): Handler =>
  async (request, reply): Promise<SetupResponse> => {
    reply.header("cache-control", "no-store")
    if (await hasAccounts(services.context)) throw new NotFound(HAS_OWNER)
    return { needs_code: !isOnThisMachine(request) }
  }

/** POST /api/setup/owner: the first account. The address that the visitor came by becomes the service's, unless one is set. */
export const createOwnerHandler =
  (services: SetupServices): Handler =>
  async (request, reply) => {
    const { context, live, accounts, baseUrl } = services
    reply.header("cache-control", "no-store")
    if (await hasAccounts(context)) throw new Conflict(HAS_OWNER)
    const { code, ...body } = parseBody(request, CreateOwnerRequestSchema)
    if (!isOnThisMachine(request)) {
      await countNamelessSignIn(context, request.ip)
      if (!isSetupCode(services.secrets(), code ?? ""))
        throw new Forbidden("the set-up code is wrong: the start of Restwell has printed it in the terminal or log")
    }
    const address = addressOf(request, services)
    const created = await accounts.createOwner({ request: requestWith(request, baseUrl, body), address: request.ip })
    if (address === baseUrl) return sendCreated(reply, created)
    await writeServiceSettings(context, { BASE_URL: address })
    await live.refresh()
    // The cookies of another address have other names.
    const { email, password } = body
    const signIn = requestWith(request, address, { email, password })
    return sendCreated(reply, await services.currentAccounts().signIn({ request: signIn, address: request.ip }))
  }

/** GET /api/service/instance: proves to the service itself that an address leads to it. */
export const instanceHandler =
  ({ secrets }: SetupServices): Handler =>
  async (request, reply) => {
    reply.header("cache-control", "no-store")
    const { challenge } = parseSearch(request, ChallengeSchema)
    return { proof: proofOf(secrets()[0], challenge) }
  }

const ChallengeSchema = z.strictObject({
  challenge: z.string().regex(/^[\w-]{16,64}$/, { error: "must have 16 to 64 letters, digits, - or _" }),
})

/** The address that the visitor's own browser sends the request from. @throws {Forbidden} for other sites */
function addressOf(request: FastifyRequest, { baseUrl, live }: SetupServices): string {
  const { origin, host = "", "sec-fetch-site": site } = request.headers
  const isSameSite = site === undefined || site === "same-origin" || site === "none"
  if (!isSameSite) throw new Forbidden("another site sent this change, so it is refused")
  if (origin === undefined || origin === baseUrl) return baseUrl
  const url = URL.parse(origin)
  if (url?.host !== host) throw new Forbidden("another site sent this change, so it is refused")
  if (live.current().addressSource !== null)
    throw new Forbidden(`the address of this Restwell is ${baseUrl}: open ${baseUrl}/setup`)
  return url.origin
}

const requestWith = (request: FastifyRequest, baseUrl: string, body: object): Request =>
  new Request(new URL(request.url, baseUrl), {
    method: "POST",
    headers: headersOf(request),
    body: JSON.stringify(body),
  })

function sendCreated(reply: FastifyReply, { headers, body }: AccountAnswer): FastifyReply {
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
  return reply.code(201).send(body)
}
